import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Tuning, tuneEngine } from '../../../src/cli/engine-tuning.ts';

const MIB = 2 ** 20;
const THRIFTY = '--no-opt';
const BEST = '--opt';
const YOUNG = '--semi-space-growth-factor=1';
const OLD = '--heap-growing-percent=30';

describe('cli/engine-tuning', () => {
  const sizes = { young: 0, heap: 0, worked: 0 };
  let flags: string[];
  let tuning: Tuning;

  beforeEach(() => {
    Object.assign(sizes, { young: 2 * MIB, heap: 20 * MIB, worked: 100 });
    flags = [];
    tuning = tuneEngine({
      youngBytes: () => sizes.young,
      heapBytes: () => sizes.heap,
      workedMs: () => sizes.worked,
      set: (flag) => void flags.push(flag),
    });
  });

  afterEach(() => {
    tuning.end();
  });

  const reach = async (young: number, heap: number, worked = 100): Promise<readonly string[]> => {
    Object.assign(sizes, { young: young * MIB, heap: heap * MIB, worked });
    await delay(50);
    return flags;
  };

  it('only spares a small process the best compiler', async () => {
    expect(flags).to.deep.equal([THRIFTY]);
    expect(await reach(4, 60)).to.deep.equal([THRIFTY]);
  });

  it('lets the best compiler work in a process that takes longer, once', async () => {
    expect(await reach(4, 60, 3000)).to.deep.equal([THRIFTY, BEST]);
    expect(await reach(4, 60, 9000)).to.deep.equal([THRIFTY, BEST]);
  });

  it('stops the growth of the young generation once', async () => {
    expect(await reach(16, 60)).to.deep.equal([THRIFTY, YOUNG]);
    expect(await reach(16, 60)).to.deep.equal([THRIFTY, YOUNG]);
  });

  it('lets a large heap grow by less, once', async () => {
    expect(await reach(16, 96)).to.deep.equal([THRIFTY, YOUNG, OLD]);
    expect(await reach(16, 200)).to.deep.equal([THRIFTY, YOUNG, OLD]);
  });

  it('gives the flags that it has set their own values back', async () => {
    await reach(16, 60);
    tuning.end();
    expect(flags.slice(2)).to.deep.equal([BEST, '--semi-space-growth-factor=2']);
    expect(await reach(16, 200, 3000)).to.have.length(4);
    tuning.end();
    expect(flags).to.have.length(4);
  });

  it('lifts them for an action', async () => {
    await reach(16, 60);
    await tuning.lift(async () => {
      await delay(50);
      expect(flags.slice(2)).to.deep.equal([BEST, '--semi-space-growth-factor=2']);
    });
    expect(flags.slice(4)).to.deep.equal([THRIFTY, YOUNG]);
  });

  it('knows the flags of the engine, and their own values', () => {
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const usual of ['--semi-space-growth-factor=2', '--heap-growing-percent=0', '--opt'])
      expect(known).to.include(`default: ${usual}\n`);
  });
});
