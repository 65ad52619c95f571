import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Datastore } from '../../../../src/datastore/datastore.ts';
import type { ObjectStore } from '../../../../src/datastore/object-store.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { planExport } from '../../../../src/operations/export-datastore.ts';
import { contextOver, etcdSource, LOCKED } from '../../../support/export-world.ts';

const SETS = 2700;
const NETS = Array.from({ length: 1000 }, (_none, i) => `10.${i >> 8}.${i & 255}.0/24`);

/** A source with 50 MB of one kind, made as it is asked for; `drawn` says how much of it was. */
function largeSource(): { readonly datastore: Datastore; readonly drawn: () => number } {
  const memory = etcdSource([LOCKED]);
  let drawn = 0;
  async function* sets(): AsyncGenerator<readonly JsonObject[]> {
    for (drawn = 0; drawn < SETS;) {
      drawn++;
      yield [{ metadata: { name: `set-${drawn}` }, spec: { nets: NETS } }];
    }
  }
  const objects = {
    list: (kind, options) =>
      kind === 'GlobalNetworkSet'
        ? Promise.resolve({ objects: sets() })
        : memory.objects.list(kind, options),
  } as Pick<ObjectStore, 'list'> as ObjectStore;
  const datastore: Datastore = {
    capabilities: { live: true, writable: false },
    keys: memory.keys,
    objects,
    describe: () => ({ datastore: 'etcd' }),
    get: (kind, key, options) => memory.get(kind, key, options),
    list: (kind, options) => memory.list(kind, options),
    compareRevisions: () => undefined,
    close: () => Promise.resolve(),
  };
  return { datastore, drawn: () => drawn };
}

describe('operations/export of a large kind', function () {
  this.timeout(60_000);

  it('writes 50 MB without ever holding more than a piece of it', async () => {
    const { datastore, drawn } = largeSource();
    const options = { skipNodes: [], isMismatchAllowed: false };
    const migration = await planExport(contextOver(datastore), options);
    let length = 0;
    let longestPiece = 0;
    let furthestAhead = 0;
    await migration.write({
      file: 'out.calico',
      newHash: () => createHash('sha256'),
      write: async (content) => {
        for await (const piece of content) {
          length += piece.length;
          longestPiece = Math.max(longestPiece, piece.length);
          const written = Math.floor(length / (NETS.length * 20));
          if (drawn() < SETS) furthestAhead = Math.max(furthestAhead, drawn() - written);
        }
        return 'whole';
      },
    });
    expect(length).to.be.above(50_000_000);
    expect(longestPiece).to.be.below(1 << 18);
    expect(furthestAhead).to.be.below(100);
  });
});
