import { expect } from 'chai';
import { CompactedError } from '../../src/datastore/etcd/compacted-error.ts';
import type { EtcdClient, EtcdEntry, RangeAnswer } from '../../src/datastore/etcd/etcd-client.ts';
import { collectPages, etcdClients, keysOf, sourced } from '../support/etcd-clients.ts';
import type { EtcdProcess } from '../support/etcd-process.ts';
import { requireEtcd } from '../support/shared-servers.ts';
import { failureOf } from '../support/temp-folder.ts';

describe('datastore/etcd/etcd-client against a real etcd', () => {
  const open = etcdClients();
  let etcd: EtcdProcess;
  let client: EtcdClient;
  let prefix: string;
  let count = 0;

  before(async function () {
    etcd = await requireEtcd(this);
  });

  beforeEach(async () => {
    client = await open(etcd.endpoint);
    prefix = `/client-test/${String(process.pid)}-${String(count++)}/`;
  });

  /** What stands at a key now. */
  async function entryAt(key: string): Promise<EtcdEntry> {
    const [entry] = (await client.get(key)).entries;
    if (!entry) throw new Error(`nothing at ${key}`);
    return entry;
  }

  /** Bytes as they are, through the gateway of etcd, since the client writes text only. */
  async function putBytes(key: Buffer, value: Buffer): Promise<void> {
    const body = JSON.stringify({ key: key.toString('base64'), value: value.toString('base64') });
    const response = await fetch(`${etcd.endpoint}/v3/kv/put`, { method: 'POST', body });
    if (!response.ok) throw new Error(await response.text());
  }

  it('creates a key once, and answers with what is there the second time', async () => {
    const first = await client.create(`${prefix}a`, 'one');
    expect(first.done).to.equal(true);
    const second = await client.create(`${prefix}a`, 'two');
    const revision = first.done ? first.revision : 0n;
    expect(second).to.deep.equal({
      done: false,
      current: { key: `${prefix}a`, value: 'one', modRevision: revision, createRevision: revision },
    });
  });

  it('replaces under the revision that was read, and not under an older one', async () => {
    await client.create(`${prefix}a`, 'one');
    const { modRevision } = await entryAt(`${prefix}a`);
    const written = await client.replace(`${prefix}a`, 'two', { modRevision });
    const current = await entryAt(`${prefix}a`);
    expect(written).to.deep.equal({ done: true, revision: current.modRevision });
    expect(current.value).to.equal('two');
    expect(await client.replace(`${prefix}a`, 'three', { modRevision })).to.deep.equal({
      done: false,
      current,
    });
  });

  it('removes under the revision that was read, and not under an older one', async () => {
    await client.create(`${prefix}a`, 'one');
    const { modRevision } = await entryAt(`${prefix}a`);
    await client.replace(`${prefix}a`, 'two', { modRevision });
    const current = await entryAt(`${prefix}a`);
    expect(await client.remove(`${prefix}a`, { modRevision })).to.deep.equal({
      done: false,
      current,
    });
    const removed = await client.remove(`${prefix}a`, { modRevision: current.modRevision });
    expect(removed.done).to.equal(true);
    expect((await client.get(`${prefix}a`)).entries).to.deep.equal([]);
  });

  it('writes nothing under a revision for a key that is gone, revision 0 included', async () => {
    for (const modRevision of [0n, 1n]) {
      const nothing = { done: false, current: undefined };
      expect(await client.replace(`${prefix}a`, 'x', { modRevision })).to.deep.equal(nothing);
      expect(await client.remove(`${prefix}a`, { modRevision })).to.deep.equal(nothing);
    }
    expect((await client.get(`${prefix}a`)).entries).to.deep.equal([]);
  });

  it('lets one of many writers win', async () => {
    await client.create(`${prefix}a`, '0');
    const { modRevision } = await entryAt(`${prefix}a`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        client.replace(`${prefix}a`, String(index), { modRevision }),
      ),
    );
    expect(answers.filter(({ done }) => done)).to.have.length(1);
  });

  it('reads as of an older revision', async () => {
    const created = await client.create(`${prefix}a`, 'one');
    const revision = created.done ? created.revision : 0n;
    await client.replace(`${prefix}a`, 'two', { modRevision: revision });
    const { entries } = await client.get(`${prefix}a`, { revision });
    expect(entries[0]?.value).to.equal('one');
    const pages = await collectPages(client.range(prefix, { revision }));
    expect(pages).to.have.length(1);
    expect(pages[0]).to.deep.include({ revision });
    expect(pages[0]?.entries[0]?.value).to.equal('one');
  });

  it('keeps the lease of a key that it writes anew', async () => {
    const lease = await gateway('lease/grant', { TTL: 600 });
    await gateway('kv/put', {
      ...{ key: Buffer.from(`${prefix}a`).toString('base64'), value: '', lease: lease['ID'] },
    });
    const { modRevision } = await entryAt(`${prefix}a`);
    await client.replace(`${prefix}a`, 'two', { modRevision });
    await gateway('lease/revoke', { ID: lease['ID'] });
    expect((await client.get(`${prefix}a`)).entries).to.deep.equal([]);
  });

  async function gateway(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${etcd.endpoint}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  it('keeps text of every kind, the empty one and a value of 1 MB included', async () => {
    const values = [
      '',
      '\u0000',
      '\uFEFFü 💠 \u2028',
      JSON.stringify({ n: '1764426000123456789' }),
    ];
    for (const [index, value] of [...values, 'x'.repeat(1_000_000)].entries()) {
      const key = `${prefix}ü/${String(index)}`;
      await client.create(key, value);
      expect((await entryAt(key)).value === value, key).to.equal(true);
    }
  });

  it('shows a value or key that is no UTF-8 as one that cannot be read', async () => {
    await putBytes(Buffer.from(`${prefix}a`), Buffer.from([0x7b, 0xff, 0x7d]));
    await putBytes(
      Buffer.concat([Buffer.from(`${prefix}b`), Buffer.from([0xc3])]),
      Buffer.from('{}'),
    );
    const [page] = await collectPages(client.range(prefix, { pageSize: 1 }));
    expect(page?.entries[0]).to.include({ key: `${prefix}a`, value: undefined });
    const pages = await collectPages(client.range(prefix, { pageSize: 1 }));
    expect(keysOf(pages)).to.deep.equal([`${prefix}a`, `${prefix}b\uFFFD`]);
    expect(pages[1]?.entries[0]?.value).to.equal(undefined);
  });

  it('refuses a key that is no text', async () => {
    const error = await failureOf(client.create(`${prefix}\uD800`, 'x'));
    expect(error).to.include({ code: 'DATA', status: 9 });
  });

  it('says that a value is too large for etcd, and how large it was', async () => {
    const error = await failureOf(client.create(`${prefix}a`, 'x'.repeat(3_000_000)));
    expect(error).to.include({ code: 'DATA', status: 9, retryable: false });
    expect(error.message).to.match(/: 30000\d\d bytes are too many for http:/);
  });

  it('gives a range in pages at one revision while somebody writes', async () => {
    for (let index = 100; index < 300; index++) await client.create(`${prefix}${index}`, 'old');
    const revision = await client.revision();
    const pages: RangeAnswer[] = [];
    for await (const page of client.range(prefix, { pageSize: 37 })) {
      pages.push(page);
      await client.create(`${prefix}${String(100 + pages.length * 37)}-new`, 'new');
      const last = await entryAt(`${prefix}299`);
      await client.replace(last.key, 'changed', { modRevision: last.modRevision });
    }
    expect(pages.map(({ entries }) => entries.length)).to.deep.equal([37, 37, 37, 37, 37, 15]);
    expect(new Set(pages.map((page) => page.revision))).to.deep.equal(new Set([revision]));
    expect(pages.flatMap(({ entries }) => entries.map(({ value }) => value))).to.deep.equal(
      Array.from({ length: 200 }, () => 'old'),
    );
  });

  it('gives one empty page for a prefix without keys, and no key of another prefix', async () => {
    await client.create(`${prefix.slice(0, -1)}0`, 'beside');
    const pages = await collectPages(client.range(prefix));
    expect(pages).to.have.length(1);
    expect(pages[0]?.entries).to.deep.equal([]);
  });

  it('takes smaller pages when one is too large for a message', async () => {
    for (let index = 0; index < 10; index++) {
      await client.create(`${prefix}${String(index)}`, 'x'.repeat(100_000));
    }
    const narrow = await open(etcd.endpoint, {}, { maxAnswerBytes: 350_000 });
    const pages = await collectPages(narrow.range(prefix));
    expect(keysOf(pages)).to.have.length(10);
    expect(Math.max(...pages.map(({ entries }) => entries.length))).to.be.within(1, 3);
  });

  it('says that one value alone is too large for a message', async () => {
    await client.create(`${prefix}a`, 'x'.repeat(100_000));
    const narrow = await open(etcd.endpoint, {}, { maxAnswerBytes: 50_000 });
    const error = await failureOf(collectPages(narrow.range(prefix)));
    expect(error).to.include({ code: 'DATA', status: 9 });
  });

  it('says that a revision is compacted', async () => {
    const created = await client.create(`${prefix}a`, 'one');
    const revision = created.done ? created.revision : 0n;
    await client.replace(`${prefix}a`, 'two', { modRevision: revision });
    await gateway('kv/compaction', { revision: String(revision + 1n) });
    const error = await failureOf(client.get(`${prefix}a`, { revision }));
    expect(error).to.be.instanceOf(CompactedError);
    expect(error.message).to.include(`revision ${String(revision)}`);
  });

  it('ends a range whose signal aborts with the reason of it', async () => {
    for (let index = 0; index < 5; index++) await client.create(`${prefix}${String(index)}`, 'x');
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const { entries } of client.range(prefix, {
        ...{ pageSize: 1, signal: controller.signal },
      })) {
        seen.push(...entries.map(({ key }) => key));
        controller.abort(reason);
      }
    };
    expect(await failureOf(read())).to.equal(reason);
    expect(seen).to.have.length(1);
  });

  it('lets go of a range that nobody reads to its end', async () => {
    for (let index = 0; index < 5; index++) await client.create(`${prefix}${String(index)}`, 'x');
    for await (const { entries } of client.range(prefix, { pageSize: 1 })) {
      expect(entries).to.have.length(1);
      break;
    }
    expect(await client.revision()).to.be.a('bigint');
  });

  it('knows no users on an etcd without them, whatever is configured', async () => {
    const signedIn = await open(etcd.endpoint, {
      username: sourced('calico'),
      password: sourced('secret'),
    });
    expect((await signedIn.create(`${prefix}a`, 'one')).done).to.equal(true);
  });
});
