import { expect } from 'chai';
import type { ToolError } from '../../../../src/errors/tool-error.ts';
import { IMPORT_MARK } from '../../../../src/ipam/marks.ts';
import {
  splitRequestFrom,
  type SplitOptions,
} from '../../../../src/operations/split/split-options.ts';
import type { JsonObject } from '../../../../src/support/json.ts';
import { net } from '../../../support/builders.ts';
import {
  aBlockObject,
  aClusterObject,
  aPoolObject,
  contentOf,
  CutDatastore,
  GROUPS,
  runSplit,
  splitWorld,
} from '../../../support/split-world.ts';

/** A split that is refused, and what the refusal names. */
interface Refusal {
  readonly title: string;
  readonly objects: readonly JsonObject[];
  readonly number?: number;
  readonly options?: Partial<SplitOptions>;
  readonly status: number;
  readonly names: RegExp;
}

const LOCKED = aClusterObject();
const OPERATORS = { 'app.kubernetes.io/managed-by': 'tigera-operator' };
const ALL = { name: 'all', labels: {} };

const REFUSALS: readonly Refusal[] = [
  {
    title: 'an unlocked datastore',
    objects: [aClusterObject({ datastoreReady: true }), aPoolObject()],
    status: 6,
    names: /not locked/,
  },
  {
    title: 'an import that is not finished',
    objects: [
      aClusterObject({}, { annotations: { [IMPORT_MARK]: '{"file":"dump.calico"}' } }),
      aPoolObject(),
    ],
    status: 6,
    names: /import into this cluster is not finished/,
  },
  {
    title: 'a flag that was never set',
    objects: [
      {
        ...LOCKED,
        spec: { clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382', calicoVersion: 'v3.33.0' },
      },
      aPoolObject(),
    ],
    status: 6,
    names: /not locked/,
  },
  { title: 'no ClusterInformation', objects: [aPoolObject()], status: 6, names: /not locked/ },
  {
    title: 'another major version',
    objects: [aClusterObject({ calicoVersion: 'v4.0.0' }), aPoolObject()],
    status: 6,
    names: /version/,
  },
  {
    title: 'parts smaller than a block',
    objects: [LOCKED, aPoolObject({ cidr: '10.9.0.0/24', blockSize: 26 })],
    status: 6,
    names: /block \(\/26\)/,
  },
  {
    title: 'parts longer than the family allows',
    objects: [LOCKED, aPoolObject({ cidr: '10.9.0.0/31', blockSize: 32 })],
    status: 6,
    names: /prefix length 34/,
  },
  {
    title: 'the name of a part that is taken',
    objects: [
      LOCKED,
      aPoolObject(),
      aPoolObject({ cidr: '10.20.0.0/24' }, { name: 'split-main-3' }),
    ],
    status: 6,
    names: /split-main-3/,
  },
  {
    title: 'the name of a part that a damaged pool has',
    objects: [LOCKED, aPoolObject(), aPoolObject({ cidr: 'no prefix' }, { name: 'split-main-0' })],
    status: 6,
    names: /split-main-0/,
  },
  {
    title: 'a pool that shares addresses',
    objects: [LOCKED, aPoolObject(), aPoolObject({ cidr: '10.9.2.0/24' }, { name: 'inner' })],
    status: 6,
    names: /inner/,
  },
  {
    title: 'a pool of the operator',
    objects: [LOCKED, aPoolObject({}, { labels: OPERATORS })],
    options: { isForced: true },
    status: 6,
    names: /operator/,
  },
  {
    title: 'a pool that is owned by the operator',
    objects: [
      LOCKED,
      aPoolObject(
        {},
        {
          ownerReferences: [
            {
              apiVersion: 'operator.tigera.io/v1',
              kind: 'Installation',
              name: 'default',
              uid: 'u',
            },
          ],
        },
      ),
    ],
    status: 6,
    names: /operator/,
  },
  {
    title: 'a finalizer of somebody else',
    objects: [LOCKED, aPoolObject({}, { finalizers: ['example.com/keep'] })],
    status: 6,
    names: /example\.com\/keep/,
  },
  {
    title: 'a block larger than a part',
    objects: [LOCKED, aPoolObject(), aBlockObject('10.9.2.0/24')],
    status: 6,
    names: /10\.9\.2\.0\/24/,
  },
  {
    title: 'annotations that leave no room',
    objects: [LOCKED, aPoolObject({}, { annotations: { long: 'x'.repeat(200_000) } })],
    status: 6,
    names: /annotations/,
  },
  {
    title: 'a name that no pool has',
    objects: [LOCKED, aPoolObject({}, ALL)],
    status: 4,
    names: /main/,
  },
  {
    title: 'a prefix that no pool has',
    objects: [LOCKED, aPoolObject({}, ALL)],
    options: { name: undefined, cidr: net('10.9.0.0/21') },
    status: 4,
    names: /10\.9\.0\.0\/21/,
  },
  {
    title: 'a name and a prefix of different pools',
    objects: [LOCKED, aPoolObject()],
    options: { cidr: net('10.8.0.0/22') },
    status: 2,
    names: /10\.9\.0\.0\/22/,
  },
  {
    title: 'a prefix that two pools have',
    objects: [LOCKED, aPoolObject(), aPoolObject({}, ALL)],
    options: { name: undefined, cidr: net('10.9.0.0/22') },
    status: 2,
    names: /--name|all, main/,
  },
  {
    title: 'a pool that cannot be read',
    objects: [LOCKED, aPoolObject({ cidr: '10.9.0.0/99' })],
    status: 9,
    names: /10\.9\.0\.0\/99/,
  },
];

for (const group of GROUPS) {
  describe(`operations/split refusals, ${group.version}`, () => {
    for (const { title, objects, number, options, status, names } of REFUSALS) {
      it(`refuses ${title} and changes nothing`, async () => {
        const world = splitWorld(group, objects);
        const before = contentOf(world);
        const error = await runSplit(world, number ?? 8, options).then(
          () => undefined,
          (thrown: unknown) => thrown as ToolError,
        );
        expect(error?.status, error?.stack ?? 'it was done').to.equal(status);
        expect(`${error?.message ?? ''} ${error?.hint ?? ''}`).to.match(names);
        expect(contentOf(world)).to.deep.equal(before);
      });
    }

    it('lifts the lock, and the lock alone, by force', async () => {
      const world = splitWorld(group, [aClusterObject({ datastoreReady: true }), aPoolObject()]);
      const { verdict, document } = await runSplit(world, 8, { isForced: true });
      expect(verdict).to.equal('ok');
      expect(document.notes.join(' ')).to.contain('not locked');
    });

    it('refuses another number as long as marks tell of the first', async () => {
      for (const writes of [1, 3, 9, 10]) {
        const world = splitWorld(group, [aClusterObject(), aPoolObject()]);
        await runSplit(new CutDatastore(world, writes));
        const before = contentOf(world);
        for (const isUndo of [false, true]) {
          const error = await runSplit(world, 4, { isUndo }).catch((thrown: unknown) => thrown);
          expect((error as ToolError).status, String(writes)).to.equal(6);
        }
        expect(contentOf(world)).to.deep.equal(before);
      }
    });
  });
}

describe('operations/split options', () => {
  for (const number of ['0', '1', '3', '6', '-4', '2.5', '', '2048', '1e3', ' 4', '0x4']) {
    it(`refuses "${number}" as the number of parts`, () => {
      expect(() => splitRequestFrom(number, { name: 'main' })).to.throw(/parts/);
    });
  }

  it('demands a pool, and a prefix that is one', () => {
    expect(() => splitRequestFrom('4', {})).to.throw(/no pool/);
    expect(() => splitRequestFrom('4', { cidr: '10.0.0.0' })).to.throw(/no CIDR/);
    expect(() => splitRequestFrom('4', { name: '' })).to.throw(/--name/);
  });
});
