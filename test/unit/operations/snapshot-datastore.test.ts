import { expect } from 'chai';
import type { Datastore, Listing, ListOptions } from '../../../src/datastore/datastore.ts';
import { StreamRestart } from '../../../src/datastore/datastore.ts';
import { MemoryDatastore } from '../../../src/datastore/memory/memory-datastore.ts';
import { AccessDeniedError } from '../../../src/errors/access-denied-error.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import type { JsonObject, ResourceKind } from '../../../src/ipam/model/resource.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { snapshotDatastore } from '../../../src/operations/snapshot-datastore.ts';
import { parseJson } from '../../../src/support/json.ts';
import { contextOf } from '../../support/scripted-datastore.ts';
import { KEY } from '../../support/snapshot-answers.ts';
import { MemoryTarget } from '../../support/snapshot-target.ts';
import { failureOf } from '../../support/temp-folder.ts';

const PLAIN = { isDryRun: false };
const REDACTED = { isDryRun: false, redaction: { level: 'all' as const, key: KEY } };

const pod = (name: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', labels: { secret: 'label' }, managedFields: [{}] },
  spec: { nodeName: 'alder', containers: [{ env: [{ name: 'PASSWORD', value: 'hunter2' }] }] },
  status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
});

function cluster(pods = 1): MemoryDatastore {
  const datastore = new MemoryDatastore();
  datastore.declare('IPAMBlock');
  datastore.declareNotInstalled('VirtualMachine');
  for (let i = 0; i < pods; i++) datastore.put('Pod', pod(`cart-${i}`));
  datastore.put('IPAMHandle', {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'IPAMHandle',
    metadata: { name: 'a', managedFields: [{ manager: 'x' }], finalizers: ['f'] },
    spec: { handleID: 'a', block: { '10.0.0.0/26': 1 }, other: 18446744073709551615n },
  });
  return datastore;
}

/** A datastore whose lists another one makes. */
function withLists(
  base: Datastore,
  list: (kind: ResourceKind, next: () => Promise<Listing>) => Promise<Listing>,
): Datastore {
  return Object.assign(Object.create(base) as Datastore, {
    capabilities: base.capabilities,
    keys: base.keys,
    describe: () => base.describe(),
    compareRevisions: () => undefined,
    list: (kind: ResourceKind, options: object) => list(kind, () => base.list(kind, options)),
  });
}

async function* cutAfter(rows: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  yield* rows;
  throw new StreamRestart(new Error('expired'));
}

/** Fails as a request that is stopped does. */
function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    const stop = (): void => {
      reject(new DOMException('stopped', 'AbortError'));
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}

describe('operations/snapshot-datastore', () => {
  it('writes what was read, one row a line, and says what was not', async () => {
    const target = new MemoryTarget();
    const { document } = await snapshotDatastore(contextOf(cluster()), target, PLAIN);
    expect(document.counts).to.deep.equal([
      { kind: 'IPAMBlock', count: 0 },
      { kind: 'IPAMHandle', count: 1 },
      { kind: 'Pod', count: 1 },
    ]);
    expect(document.notInstalled).to.deep.equal(['VirtualMachine']);
    expect(document.notHeld).to.include('Node').and.not.to.include('IPAMBlock');
    expect(document.bytes).to.equal(Buffer.byteLength(target.text));
    const file = parseJson(target.text) as JsonObject;
    expect(file['kinds']).to.deep.equal(['IPAMBlock', 'IPAMHandle', 'Pod']);
    expect(file['notInstalled']).to.deep.equal(['VirtualMachine']);
    expect(
      target.text.split('\n').filter((line) => line.startsWith('{"apiVersion')),
    ).to.have.length(2);
  });

  it('keeps all of what is of Calico, with long integers, and of a pod only what IPAM reads', async () => {
    const target = new MemoryTarget();
    await snapshotDatastore(contextOf(cluster()), target, PLAIN);
    expect(target.text)
      .to.include('"other":18446744073709551615')
      .and.include('"finalizers":["f"]');
    expect(target.text).not.to.match(/hunter2|PASSWORD|managedFields|secret/);
    const { items } = parseJson(target.text) as { items: JsonObject[] };
    expect(items.at(-1)).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'cart-0', namespace: 'shop', labels: {} },
      spec: { nodeName: 'alder' },
      status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
    });
  });

  it('drops what came before a list was cut', async () => {
    let cuts = 0;
    const datastore = withLists(cluster(3), async (kind, next) => {
      const listing = await next();
      return kind === 'Pod' && cuts++ < 2 ? { rows: cutAfter(listing.rows) } : listing;
    });
    const target = new MemoryTarget();
    const { document } = await snapshotDatastore(contextOf(datastore), target, PLAIN);
    expect(document.counts.at(-1)).to.deep.equal({ kind: 'Pod', count: 3 });
    expect(target.text.match(/cart-1/g)).to.have.length(1);
  });

  for (const [how, options] of Object.entries({ plainly: PLAIN, redacted: REDACTED })) {
    it(`names all missing rights at once, ${how}`, async () => {
      const datastore = withLists(cluster(), (kind, next) => {
        if (kind !== 'IPPool' && kind !== 'Pod') return next();
        throw new AccessDeniedError(`access denied: list ${kind}`, {
          details: { denied: [{ verb: 'list', resource: kind }] },
        });
      });
      const target = new MemoryTarget();
      const error = await failureOf(snapshotDatastore(contextOf(datastore), target, options));
      expect(error.message)
        .to.match(/list IPPool/)
        .and.match(/list Pod/);
      expect(target.text).to.equal('');
    });
  }

  it('fails with what went wrong first, not with the lists that are stopped on account of it', async () => {
    class FullTarget extends MemoryTarget {
      override write(): Promise<void> {
        return Promise.reject(new UsageError('no space left'));
      }
    }
    const full = cluster();
    const datastore = new Proxy(full, {
      get: (target, name): unknown =>
        name === 'list'
          ? async (kind: ResourceKind, options: ListOptions) => {
              // Still asked for when the first rows are refused.
              if (kind === 'Pod') await untilAborted(options.signal);
              return target.list(kind, options);
            }
          : Reflect.get(target, name, target),
    });
    const error = await failureOf(snapshotDatastore(contextOf(datastore), new FullTarget(), PLAIN));
    expect(error.message).to.equal('no space left');
  });

  it('reads and counts, but writes nothing in a dry run', async () => {
    const target = new MemoryTarget();
    const options = { ...REDACTED, isDryRun: true };
    const { document } = await snapshotDatastore(contextOf(cluster()), target, options);
    expect(document).to.include({ written: false, redacted: 'all' });
    expect(document.counts.at(-1)).to.deep.equal({ kind: 'Pod', count: 1 });
    expect([target.text, target.parts.size]).to.deep.equal(['', 0]);
  });

  it('waits for each batch to be stored before the next, so that rows never pile up', async () => {
    let open = 0;
    let most = 0;
    class SlowTarget extends MemoryTarget {
      override async write(part: string, text: string): Promise<void> {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await super.write(part, text);
        open--;
      }
    }
    const target = new SlowTarget();
    await snapshotDatastore(contextOf(cluster(5000)), target, PLAIN);
    // One of each kind, of which two have rows.
    expect(most).to.be.at.most(2);
    expect(target.text.match(/"kind":"Pod"/g)).to.have.length(5000);
  });

  it('leaves out where it was taken when it is redacted', async () => {
    const target = new MemoryTarget();
    const datastore = withLists(cluster(), (_kind, next) => next());
    Object.assign(datastore, {
      describe: () => ({
        datastore: 'kubernetes',
        context: 'acme',
        server: 'https://acme.example',
      }),
    });
    await snapshotDatastore(contextOf(datastore), target, REDACTED);
    expect(target.text).to.include('"source":{"datastore":"kubernetes"}').and.not.match(/acme/);
  });
});
