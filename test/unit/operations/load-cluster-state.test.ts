import { expect } from 'chai';
import { StreamRestart } from '../../../src/datastore/datastore.ts';
import { AccessDeniedError } from '../../../src/errors/access-denied-error.ts';
import { RESOURCE_KINDS } from '../../../src/ipam/model/resource.ts';
import { loadClusterState } from '../../../src/operations/load-cluster-state.ts';
import { aBlock, aNode, aPod, podSlot } from '../../support/builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';

const rows = [
  aBlock('10.0.0.0/26', { 0: podSlot('shop/a', 'node-a') }),
  aNode('node-a'),
  aPod('shop/a', 'node-a', '10.0.0.0'),
];
const kinds = RESOURCE_KINDS;

describe('operations/load-cluster-state', () => {
  it('reads every kind once', async () => {
    const datastore = new ScriptedDatastore(rows);
    const state = await loadClusterState(contextOf(datastore), { kinds });
    expect(datastore.requests).to.have.members(kinds.map((kind) => `list ${kind}`));
    expect(state.blocks).to.have.length(1);
    expect([...state.pods()]).to.have.length(1);
  });

  it('asks for evidence only after every claim has begun to answer', async () => {
    const datastore = new ScriptedDatastore(rows);
    await loadClusterState(contextOf(datastore), { kinds });
    const at = (kind: string) => datastore.requests.indexOf(`list ${kind}`);
    for (const claim of ['IPAMBlock', 'IPAMHandle', 'BlockAffinity']) {
      for (const evidence of ['Pod', 'Node', 'Service', 'VirtualMachine'])
        expect(at(claim)).to.be.below(at(evidence));
    }
  });

  it('takes what has begun while other claims are waited for, before any evidence is asked for', async () => {
    const datastore = new SlowHandles(rows);
    const taken: string[] = [];
    await loadClusterState(contextOf(datastore), {
      kinds,
      onRow: (row) => {
        taken.push(row.kind);
        datastore.release(row.kind);
      },
    });
    expect(taken).to.include('Pod');
    expect(taken.indexOf('IPAMBlock')).to.be.below(taken.indexOf('Pod'));
  });

  it('leaves nothing behind when a list cannot begin', async () => {
    const datastore = new ScriptedDatastore(rows, ({ kind }) => {
      if (kind === 'IPAMHandle') throw new Error('no luck');
    });
    const taken: string[] = [];
    const onRow = (row: { kind: string }) => void taken.push(row.kind);
    const error = await failure(loadClusterState(contextOf(datastore), { kinds, onRow }));
    expect(error.message).to.equal('no luck');
    const before = taken.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(taken).to.have.length(before);
    expect(datastore.requests).to.not.include('list Pod');
  });

  it('tells a kind that the source does not know from an empty one', async () => {
    const state = await loadClusterState(contextOf(new ScriptedDatastore([])), { kinds });
    expect(state.isLoaded('WorkloadEndpoint')).to.equal(false);
    expect(state.isLoaded('Pod')).to.equal(true);
  });

  it('names every kind that may not be listed', async () => {
    const datastore = new ScriptedDatastore(rows, ({ kind }) => {
      if (kind === 'IPAMBlock' || kind === 'Pod') {
        throw new AccessDeniedError(`no ${kind}`, {
          details: { denied: [{ verb: 'list', resource: kind }] },
        });
      }
    });
    const error = await failure(loadClusterState(contextOf(datastore), { kinds }));
    expect(error).to.be.instanceOf(AccessDeniedError);
    expect(error.message).to.equal('access denied: list IPAMBlock, list Pod');
  });

  it('drops the rows of a stream that was cut and takes the kind again', async () => {
    const datastore = new CutOnce(rows);
    const state = await loadClusterState(contextOf(datastore), { kinds });
    expect(datastore.requests.filter((request) => request === 'list Pod')).to.have.length(2);
    expect([...state.pods()]).to.have.length(1);
  });

  it('gives up on a stream that is cut every time, and says why', async () => {
    const error = await failure(loadClusterState(contextOf(new CutOnce(rows, 99)), { kinds }));
    expect(error.message).to.contain('Pod').and.contain('socket hang up');
  });

  it('begins a list again that is cut before its first row, and not without end', async () => {
    const cutList = (times: number) =>
      new ScriptedDatastore(rows, ({ kind, nth }) => {
        if (kind === 'Pod' && nth <= times) throw new StreamRestart(new Error('expired'));
      });
    const state = await loadClusterState(contextOf(cutList(2)), { kinds });
    expect([...state.pods()]).to.have.length(1);
    const error = await failure(loadClusterState(contextOf(cutList(99)), { kinds }));
    expect(error).to.include({ status: 8 });
    expect(error.message).to.contain('Pod').and.contain('expired');
  });

  it('lists evidence again that is older than a claim', async () => {
    const datastore = new StalePods(rows);
    await loadClusterState(contextOf(datastore), { kinds });
    expect(datastore.requests.filter((request) => request === 'list Pod')).to.have.length(3);
  });
});

/** Begins the list of handles only once a row of a block was taken. */
class SlowHandles extends ScriptedDatastore {
  private readonly released = Promise.withResolvers<undefined>();

  release(kind: string): void {
    if (kind === 'IPAMBlock') this.released.resolve(undefined);
  }

  override async list(
    ...args: Parameters<ScriptedDatastore['list']>
  ): ReturnType<ScriptedDatastore['list']> {
    if (args[0] === 'IPAMHandle') await this.released.promise;
    return super.list(...args);
  }
}

/** Cuts the stream of pods a number of times after their first rows. */
class CutOnce extends ScriptedDatastore {
  private left: number;

  constructor(given: ConstructorParameters<typeof ScriptedDatastore>[0], times = 1) {
    super(given);
    this.left = times;
  }

  override async list(
    ...args: Parameters<ScriptedDatastore['list']>
  ): ReturnType<ScriptedDatastore['list']> {
    const listing = await super.list(...args);
    if (args[0] !== 'Pod' || this.left-- <= 0) return listing;
    return { ...listing, rows: cut(listing.rows) };
  }
}

async function* cut<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  yield* source;
  throw new StreamRestart(new Error('socket hang up'));
}

/** Answers the first two lists of pods from a cache that lags behind. */
class StalePods extends ScriptedDatastore {
  private stale = 2;

  override async list(
    ...args: Parameters<ScriptedDatastore['list']>
  ): ReturnType<ScriptedDatastore['list']> {
    const listing = await super.list(...args);
    if (args[0] !== 'Pod' || this.stale-- <= 0) return listing;
    return { ...listing, revision: '7' as NonNullable<typeof listing.revision> };
  }
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}
