import { expect } from 'chai';
import { decodeObject, resourceKindOf } from '../../src/datastore/codec/decode.ts';
import type { Datastore, Listing, ListOptions } from '../../src/datastore/datastore.ts';
import { type JsonObject, keyText, type ResourceKind } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { drain } from '../support/drain.ts';
import { failureOf } from '../support/temp-folder.ts';
import {
  type ContractSeed,
  EXACT_SEQUENCE_NUMBER,
  LARGE_COUNT,
  LARGE_SEED,
  SMALL_SEED,
} from './contract-seed.ts';
import { cidr } from './write-seed.ts';

/** A backend as the contract sees it. */
export interface ContractBackend {
  /**
   * Opens a datastore in which each kind that occurs in the seed has exactly the objects of the seed. What a server stamps
   * (uid, revision, times) is free.
   */
  open(seed: ContractSeed): Promise<Datastore>;
  /** What listing says of a kind that nobody seeded; `undefined` where it looks empty. */
  readonly unseeded: Listing['absent'];
  /** The row that listing gives for an object of the seed; what the codec makes of it when absent. */
  readonly rowOf?: ((object: JsonObject) => Row | undefined) | undefined;
  /** Whether `emptyKinds` of a seed can be told from kinds that nobody seeded. */
  readonly knowsEmptyKinds: boolean;
}

/** Kinds of the small seed. */
const SEEDED_KINDS: readonly ResourceKind[] = [
  'ClusterInformation',
  'KubeControllersConfiguration',
  'IPAMConfig',
  'IPPool',
  'IPReservation',
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
  'Node',
  'Pod',
  'Service',
];

/** A block of the small seed, and one that is not there. */
const BLOCK = cidr('198.18.0.0/30');
const NO_BLOCK = cidr('198.18.9.0/30');

/** Registers what every backend has to pass; the backend's test file calls it with a name for the report. */
export function describeDatastoreContract(name: string, backend: ContractBackend): void {
  describe(`datastore contract: ${name}`, () => {
    describeReading(backend);
    describeLargeList(backend);
    describeClosing(backend);
  });
}

function describeReading(backend: ContractBackend): void {
  describe('a small cluster', () => {
    let datastore: Datastore;

    before(async () => {
      datastore = await backend.open(SMALL_SEED);
    });

    after(async () => {
      await datastore.close();
    });

    for (const kind of SEEDED_KINDS) {
      it(`lists every row of kind ${kind} as the codec reads it`, async () => {
        expect(byKey(await takeAll(datastore, kind))).to.deep.equal(
          byKey(seededRows(backend, kind)),
        );
      });
    }

    it('keeps sequence numbers beyond 2^53 exact, in rows and in objects', async () => {
      const rows = await takeAll(datastore, 'IPAMBlock', { keep: () => true });
      expect(rows).to.have.length(2);
      for (const row of rows) {
        if (row.kind !== 'IPAMBlock' || 'unreadable' in row) throw new Error('an unreadable block');
        expect(row.sequenceNumber).to.equal(EXACT_SEQUENCE_NUMBER);
        expect(row.sequenceNumbers.get(1)).to.equal(EXACT_SEQUENCE_NUMBER - 1n);
        // An entry of etcd is its own spec.
        expect(row.object?.['spec'] ?? row.object).to.include({
          sequenceNumber: EXACT_SEQUENCE_NUMBER,
        });
      }
    });

    it('gives whole objects, unknown fields included, for the rows to keep and for no other', async () => {
      const keep = (row: Row) => row.key.name === 'pool-v4';
      const rows = byKey(await takeAll(datastore, 'IPPool', { keep }), true);
      expect(rows.get('pool-v4')?.object).to.have.nested.include({
        'metadata.annotations.example\\.com/number': '007',
        'metadata.labels.example\\.com/team': 'blue',
        'spec.natOutgoing': true,
        'spec.ipipMode': 'Never',
      });
      expect(rows.get('pool-v6')?.object).to.equal(undefined);
    });

    it('gives whole pods and nodes for the rows to keep', async () => {
      const [pods, nodes] = await Promise.all([
        takeAll(datastore, 'Pod', { keep: () => true }),
        takeAll(datastore, 'Node', { keep: () => true }),
      ]);
      const image = 'spec.containers[0].image';
      for (const row of pods)
        expect(row.object).to.have.nested.property(image, 'example.com/app:1');
      for (const row of nodes)
        expect(row.object).to.have.nested.property('metadata.labels.zone', 'a');
    });

    it('gets one row with its whole object', async () => {
      const row = await datastore.get('Pod', { namespace: 'kube-system', name: 'web-0' });
      const listed = byKey(seededRows(backend, 'Pod')).get('kube-system/web-0');
      expect(row && withoutStamps(row)).to.deep.equal(listed);
      expect(row?.object).to.have.nested.property('metadata.namespace', 'kube-system');
    });

    it('gets an exact sequence number', async () => {
      const row = await datastore.get('IPAMBlock', datastore.keys.block(BLOCK));
      expect(row).to.include({ kind: 'IPAMBlock', sequenceNumber: EXACT_SEQUENCE_NUMBER });
    });

    it('gets undefined for what is not there', async () => {
      expect(await datastore.get('IPAMBlock', datastore.keys.block(NO_BLOCK))).to.equal(undefined);
      expect(await datastore.get('Pod', { namespace: 'kube-public', name: 'web-0' })).to.equal(
        undefined,
      );
    });

    it('tells a kind that nobody knows of from an empty one', async () => {
      const [unknown, empty] = await Promise.all([
        datastore.list('VirtualMachine'),
        datastore.list('VirtualMachineInstance'),
      ]);
      expect(unknown.absent).to.equal(backend.unseeded);
      expect(empty.absent).to.equal(backend.knowsEmptyKinds ? undefined : backend.unseeded);
      expect([...(await drain(unknown.rows)), ...(await drain(empty.rows))]).to.deep.equal([]);
    });

    it('changes nothing by reading', async () => {
      const revisions = async () =>
        Promise.all(
          SEEDED_KINDS.map(async (kind) =>
            (await takeAll(datastore, kind))
              .map(({ key, revision }) => `${keyText(key)} ${revision}`)
              .sort(),
          ),
        );
      const before = await revisions();
      await datastore.get('IPAMBlock', datastore.keys.block(BLOCK));
      await datastore.get('IPAMHandle', datastore.keys.handle('k8s-pod-network.Web0'));
      expect(await revisions()).to.deep.equal(before);
    });

    it('compares a revision with itself as equal', async () => {
      const row = await datastore.get('IPPool', { name: 'pool-v4' });
      if (row?.revision === undefined) return;
      expect(datastore.compareRevisions(row.revision, row.revision)).to.equal(0);
    });

    it('lists nothing once the signal has aborted', async () => {
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      expect(await failureOf(takeAll(datastore, 'Pod', { signal }))).to.equal(reason);
      expect(await failureOf(datastore.get('IPPool', { name: 'pool-v4' }, { signal }))).to.equal(
        reason,
      );
    });

    it('says where it is', () => {
      expect(datastore.describe().datastore).to.be.a('string');
    });
  });

  it('holds the same rows whatever the order in which objects came', async () => {
    const datastore = await backend.open({
      ...SMALL_SEED,
      objects: SMALL_SEED.objects.toReversed(),
    });
    for (const kind of ['IPAMBlock', 'Pod', 'Node'] as const) {
      expect(byKey(await takeAll(datastore, kind))).to.deep.equal(byKey(seededRows(backend, kind)));
    }
    await datastore.close();
  });
}

function describeLargeList(backend: ContractBackend): void {
  describe(`a list of ${LARGE_COUNT}`, () => {
    let datastore: Datastore;

    before(async function () {
      // A real server takes its time to create them.
      this.timeout(180_000);
      datastore = await backend.open(LARGE_SEED);
    });

    after(async () => {
      await datastore.close();
    });

    it('gives every row exactly once', async () => {
      const rows = await takeAll(datastore, 'IPAMHandle');
      expect(rows).to.have.length(LARGE_COUNT);
      expect(byKey(rows).size).to.equal(LARGE_COUNT);
    });

    it('comes in batches', async () => {
      const { rows } = await datastore.list('IPAMHandle');
      let batches = 0;
      for await (const batch of rows) batches += batch.length > 0 ? 1 : 0;
      expect(batches).to.be.greaterThan(1);
    });

    it('serves two lists at once', async () => {
      const lists = await Promise.all([
        takeAll(datastore, 'IPAMHandle'),
        takeAll(datastore, 'IPAMHandle'),
      ]);
      expect(lists.map((rows) => rows.length)).to.deep.equal([LARGE_COUNT, LARGE_COUNT]);
    });

    it('ends with the reason of the signal when aborted between two batches', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const { rows } = await datastore.list('IPAMHandle', { signal: controller.signal });
      const failure = failureOf(
        (async () => {
          for await (const _batch of rows) controller.abort(reason);
        })(),
      );
      expect(await failure).to.equal(reason);
    });

    it('may be left in the middle', async () => {
      const { rows } = await datastore.list('IPAMHandle');
      for await (const _batch of rows) break;
      expect(await takeAll(datastore, 'IPAMHandle')).to.have.length(LARGE_COUNT);
    });
  });
}

function describeClosing(backend: ContractBackend): void {
  it('closes more than once and reads nothing afterwards', async () => {
    const datastore = await backend.open(SMALL_SEED);
    await datastore.close();
    await datastore.close();
    expect(await failureOf(takeAll(datastore, 'Pod'))).to.be.an('error');
    expect(await failureOf(datastore.get('IPPool', { name: 'pool-v4' }))).to.be.an('error');
  });
}

async function takeAll(
  datastore: Datastore,
  kind: ResourceKind,
  options?: ListOptions,
): Promise<Row[]> {
  return drain((await datastore.list(kind, options)).rows);
}

/** The rows of the small seed. */
function seededRows({ rowOf }: ContractBackend, kind: ResourceKind): Row[] {
  return SMALL_SEED.objects
    .filter((object) => kindOf(object) === kind)
    .map((object) => (rowOf ? rowOf(object) : decodeObject(kind, object)))
    .filter((row) => row !== undefined);
}

function kindOf({ apiVersion, kind }: JsonObject): ResourceKind | undefined {
  return resourceKindOf(apiVersion as string, kind as string);
}

function byKey(rows: readonly Row[], withStamps = false): Map<string, Row> {
  return new Map(rows.map((row) => [keyText(row.key), withStamps ? row : withoutStamps(row)]));
}

/** The row without what a server stamps, and without members that are there and undefined. */
function withoutStamps(row: Row): Row {
  const { uid: _uid, revision: _revision, createdAt: _createdAt, object: _object, ...rest } = row;
  const members = Object.entries(rest).map(
    ([name, value]) => [name, isMap(value) ? [...value] : value] as const,
  );
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as Row;
}

function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map;
}
