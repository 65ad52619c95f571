import { expect } from 'chai';
import type { WritableDatastore, WritableRow } from '../../src/datastore/datastore.ts';
import { AlreadyExistsError } from '../../src/errors/already-exists-error.ts';
import { ConflictError } from '../../src/errors/conflict-error.ts';
import { NotFoundError } from '../../src/errors/not-found-error.ts';
import type { ResourceKind, Revision } from '../../src/ipam/model/resource.ts';
import { type ContractSeed, EXACT_SEQUENCE_NUMBER } from './contract-seed.ts';
import {
  cidr,
  FOREIGN,
  LEFTOVER,
  newAffinity,
  newBlock,
  newHandle,
  WRITE_SEED,
} from './write-seed.ts';

/** A backend that can be written, as the contract sees it. */
export interface WritingBackend {
  /** Opens a datastore that holds the objects of the seed. */
  open(seed: ContractSeed): Promise<WritableDatastore>;
}

type RowOf<K extends ResourceKind> = Extract<WritableRow, { kind: K }>;

const BLOCK = '198.18.0.0/30';
const HANDLE = 'k8s-pod-network.Web0';
const NEW_BLOCK = '198.18.0.64/30';
/** Writers that race for one row. */
const WRITERS = 8;

/** Registers what every backend that can be written has to pass. */
export function describeWritingContract(name: string, backend: WritingBackend): void {
  describe(`writing contract: ${name}`, () => {
    let datastore: WritableDatastore;

    beforeEach(async () => {
      datastore = await backend.open(WRITE_SEED);
    });

    afterEach(async () => {
      await datastore.close();
    });

    const current = () => datastore;
    describeCreating(current);
    describeUpdating(current);
    describeRemoving(current);
    describeRaces(current);
    describeEnds(current);
  });
}

function describeCreating(current: () => WritableDatastore): void {
  it('creates rows that read back as they were written, with revision and object', async () => {
    const datastore = current();
    const rows = [
      newBlock(datastore, NEW_BLOCK),
      newBlock(datastore, '2001:db8:50::40/126'),
      newAffinity(datastore, 'node-b', NEW_BLOCK),
      newHandle(datastore, 'Some.Handle', NEW_BLOCK),
    ];
    for (const row of rows) {
      const created = await datastore.create(row);
      expect(created.revision, row.kind).to.be.a('string');
      expect(created.object, row.kind).to.be.an('object');
      const { key, kind } = row;
      const found = await datastore.get(kind, key);
      expect(found, kind).to.deep.include(withoutHead(row));
      expect(found?.revision, kind).to.equal(created.revision);
    }
  });

  it('refuses to create a row that is there, and leaves it as it is', async () => {
    const datastore = current();
    const before = await blockOf(datastore);
    const error = await failureOf(datastore.create(newBlock(datastore, BLOCK)));
    expect(error).to.be.instanceOf(AlreadyExistsError);
    expect(await blockOf(datastore)).to.deep.equal(before);
  });

  it('creates over a leftover of a soft deletion', async () => {
    const datastore = current();
    const rows = [
      newBlock(datastore, LEFTOVER.cidr),
      newAffinity(datastore, 'node-z', LEFTOVER.cidr),
      newHandle(datastore, LEFTOVER.handle, LEFTOVER.cidr),
    ];
    for (const row of rows) {
      await datastore.create(row);
      const found = await datastore.get(row.kind, row.key);
      expect(found, row.kind).to.deep.include({ ...withoutHead(row), deleted: false });
    }
  });
}

function describeUpdating(current: () => WritableDatastore): void {
  it('updates under the revision that was read, and again under the one that came back', async () => {
    const datastore = current();
    const before = await blockOf(datastore);
    const first = await datastore.update({ ...before, unallocated: [2, 3, 0] });
    expect(first.revision).not.to.equal(before.revision);
    const second = await datastore.update({ ...first, unallocated: [3, 0, 2] });
    expect((await blockOf(datastore)).unallocated).to.deep.equal([3, 0, 2]);
    expect((await blockOf(datastore)).revision).to.equal(second.revision);
  });

  it('keeps 64-bit sequence numbers exact', async () => {
    const datastore = current();
    const before = await blockOf(datastore);
    const sequenceNumber = EXACT_SEQUENCE_NUMBER + 1n;
    const sequenceNumbers = new Map([[1, EXACT_SEQUENCE_NUMBER]]);
    await datastore.update({ ...before, sequenceNumber, sequenceNumbers });
    const after = await blockOf(datastore);
    expect(after.sequenceNumber).to.equal(sequenceNumber);
    expect(after.sequenceNumbers).to.deep.equal(sequenceNumbers);
  });

  it('refuses to update a row that changed since, and leaves it as it is', async () => {
    const datastore = current();
    const stale = await blockOf(datastore);
    await datastore.update({ ...stale, unallocated: [2, 3, 0] });
    const after = await blockOf(datastore);
    const error = await failureOf(datastore.update({ ...stale, unallocated: [3, 2, 0] }));
    expect(error).to.be.instanceOf(ConflictError);
    expect(await blockOf(datastore)).to.deep.equal(after);
  });

  it('refuses to update a row that is gone, or was made anew', async () => {
    const datastore = current();
    const created = await datastore.create(newBlock(datastore, NEW_BLOCK));
    await datastore.remove(versionOf(created));
    expect(await failureOf(datastore.update(created))).to.be.instanceOf(NotFoundError);
    await datastore.create(newBlock(datastore, NEW_BLOCK));
    const error = await failureOf(datastore.update({ ...created, unallocated: [1] }));
    expect(error).to.satisfy(isLostRace);
  });

  it('keeps labels, annotations, finalizers and fields that the row does not know', async () => {
    const datastore = current();
    const handle = await handleOf(datastore);
    await datastore.update({ ...handle, counts: handle.counts.slice(0, 1) });
    const { object } = await handleOf(datastore);
    const metadata = object?.['metadata'] as Record<string, object>;
    expect(metadata['labels']).to.include(FOREIGN.labels);
    expect(metadata['annotations']).to.include(FOREIGN.annotations);
    expect(metadata['finalizers']).to.deep.equal(FOREIGN.finalizers);

    const pool = await rowOf(datastore, 'IPPool', 'pool-v4');
    await datastore.update({ ...pool, disabled: true });
    const after = await rowOf(datastore, 'IPPool', 'pool-v4');
    expect(after.disabled).to.equal(true);
    expect(after.object).to.have.nested.include({
      'metadata.annotations.example\\.com/number': '007',
      'metadata.labels.example\\.com/team': 'blue',
      'spec.natOutgoing': true,
    });
  });

  it('updates a row that was listed without its object', async () => {
    const datastore = current();
    const { object: _object, ...bare } = await handleOf(datastore);
    await datastore.update({ ...bare, counts: [] });
    const after = await handleOf(datastore);
    expect(after.counts).to.deep.equal([]);
    expect(after.object).to.have.nested.property('metadata.labels.example\\.com/team', 'blue');
  });
}

function describeRemoving(current: () => WritableDatastore): void {
  it('removes a row as it was read, once', async () => {
    const datastore = current();
    const block = await blockOf(datastore);
    await datastore.remove(versionOf(block));
    expect(await datastore.get('IPAMBlock', block.key)).to.equal(undefined);
    expect(await failureOf(datastore.remove(versionOf(block)))).to.be.instanceOf(NotFoundError);
  });

  it('does not remove a row that changed since', async () => {
    const datastore = current();
    const stale = await blockOf(datastore);
    await datastore.update({ ...stale, unallocated: [2, 3, 0] });
    expect(await failureOf(datastore.remove(versionOf(stale)))).to.be.instanceOf(ConflictError);
    expect((await blockOf(datastore)).unallocated).to.deep.equal([2, 3, 0]);
  });

  it('does not remove a row that was made anew', async () => {
    const datastore = current();
    const created = await datastore.create(newBlock(datastore, NEW_BLOCK));
    await datastore.remove(versionOf(created));
    const again = await datastore.create(newBlock(datastore, NEW_BLOCK));
    expect(await failureOf(datastore.remove(versionOf(created)))).to.satisfy(isLostRace);
    expect((await datastore.get('IPAMBlock', again.key))?.revision).to.equal(again.revision);
  });
}

function describeRaces(current: () => WritableDatastore): void {
  it('lets exactly one of many writers win each race', async () => {
    const datastore = current();
    const block = await blockOf(datastore);
    const races: ((i: number) => Promise<unknown>)[] = [
      (i) => datastore.update({ ...block, unallocated: [0, 2, 3].slice(0, i % 3) }),
      () => datastore.create(newHandle(datastore, 'raced', NEW_BLOCK)),
    ];
    for (const race of races) expect(await winners(race)).to.equal(1);
    const version = versionOf(await blockOf(datastore));
    expect(await winners(() => datastore.remove(version))).to.equal(1);
  });
}

function describeEnds(current: () => WritableDatastore): void {
  it('writes nothing once the signal has aborted', async () => {
    const datastore = current();
    const reason = new Error('enough');
    const options = { signal: AbortSignal.abort(reason) };
    const block = await blockOf(datastore);
    const writes = [
      datastore.create(newBlock(datastore, NEW_BLOCK), options),
      datastore.update({ ...block, unallocated: [] }, options),
      datastore.remove(versionOf(block), options),
    ];
    for (const write of writes) expect(await failureOf(write)).to.equal(reason);
    expect(await blockOf(datastore)).to.deep.equal(block);
  });

  it('writes nothing after it was closed', async () => {
    const datastore = current();
    await datastore.close();
    expect(await failureOf(datastore.create(newBlock(datastore, NEW_BLOCK)))).to.be.an('error');
  });
}

/** How many of the writers succeed; each of the others has to be told that it lost. */
async function winners(race: (i: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: WRITERS }, (_, i) => race(i)));
  const lost = results.filter((result) => result.status === 'rejected');
  for (const { reason } of lost) expect(reason).to.satisfy(isLostRace);
  return results.length - lost.length;
}

function isLostRace(error: unknown): boolean {
  return (
    error instanceof ConflictError ||
    error instanceof NotFoundError ||
    error instanceof AlreadyExistsError
  );
}

function blockOf(datastore: WritableDatastore): Promise<RowOf<'IPAMBlock'>> {
  return rowOf(datastore, 'IPAMBlock', datastore.keys.block(cidr(BLOCK)).name);
}

function handleOf(datastore: WritableDatastore): Promise<RowOf<'IPAMHandle'>> {
  return rowOf(datastore, 'IPAMHandle', datastore.keys.handle(HANDLE).name);
}

async function rowOf<K extends WritableRow['kind']>(
  datastore: WritableDatastore,
  kind: K,
  name: string,
): Promise<RowOf<K>> {
  const row = await datastore.get(kind, { name });
  if (row === undefined || 'unreadable' in row) throw new Error(`${kind} ${name} cannot be read`);
  return row as RowOf<K>;
}

function versionOf(row: WritableRow) {
  const { kind, key, uid, revision } = row;
  return { kind, key, uid, revision: revision as Revision };
}

/** What a row says, apart from what a server stamps and from members that are there and undefined. */
function withoutHead(row: WritableRow): object {
  const { key: _key, revision: _revision, uid: _uid, ...rest } = row;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
