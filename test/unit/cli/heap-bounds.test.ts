import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { boundHeap } from '../../../src/cli/heap-bounds.ts';

const MIB = 2 ** 20;
const YOUNG = '--semi-space-growth-factor=1';
const OLD = '--heap-growing-percent=30';

describe('cli/heap-bounds', () => {
  const sizes = { young: 0, heap: 0 };
  let flags: string[];
  let stop: () => void;

  beforeEach(() => {
    Object.assign(sizes, { young: 2 * MIB, heap: 20 * MIB });
    flags = [];
    stop = boundHeap({
      youngBytes: () => sizes.young,
      heapBytes: () => sizes.heap,
      set: (flag) => void flags.push(flag),
    });
  });

  afterEach(() => {
    stop();
  });

  const reach = async (young: number, heap: number): Promise<readonly string[]> => {
    Object.assign(sizes, { young: young * MIB, heap: heap * MIB });
    await delay(50);
    return flags;
  };

  it('lets a small process be', async () => {
    expect(await reach(4, 60)).to.deep.equal([]);
  });

  it('stops the growth of the young generation once', async () => {
    expect(await reach(8, 60)).to.deep.equal([YOUNG]);
    expect(await reach(16, 60)).to.deep.equal([YOUNG]);
  });

  it('lets a large heap grow by less, once', async () => {
    expect(await reach(8, 96)).to.deep.equal([YOUNG, OLD]);
    expect(await reach(8, 200)).to.deep.equal([YOUNG, OLD]);
  });

  it('knows flags that the engine knows', async () => {
    const { execFileSync } = await import('node:child_process');
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const flag of [YOUNG, OLD]) expect(known).to.include(flag.replace(/=.*/, ' ('));
  });
});
