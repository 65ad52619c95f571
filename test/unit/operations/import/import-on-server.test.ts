import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { calicoGroupOf, readDefinitions } from '../../../../src/datastore/definitions.ts';
import { readDocuments } from '../../../../src/datastore/snapshot/documents.ts';
import { PreconditionError } from '../../../../src/errors/precondition-error.ts';
import { IMPORT_MARK, readMark } from '../../../../src/ipam/marks.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import type { PlanItem } from '../../../../src/ipam/plan.ts';
import type { OutcomeItem } from '../../../../src/operations/documents/outcome-document.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { aKubernetesNode, importText, planText } from '../../../support/import-world.ts';
import { aHandle, fileText, PLAIN_FILE } from '../../../support/migration-text.ts';
import { notingPorts, openWritable } from '../../../support/open-writable.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const API = '/apis/crd.projectcalico.org/v1';
const HANDLES = `${API}/ipamhandles`;
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const CRDS = new URL('../../../servers/crds/', import.meta.url);

describe('operations/import-datastore on a server', () => {
  let server: FakeApiServer;
  let datastore: WritableDatastore;

  beforeEach(async () => {
    server = await startFakeApiServer();
    for (const name of ['node-a', 'node-b']) server.put(aKubernetesNode(name));
    datastore = await openWritable(server, notingPorts());
  });
  afterEach(async () => {
    await datastore.close();
    await server.stop();
  });

  const writes = (): string[] =>
    server.requests
      .filter(({ method, path }) => method !== 'GET' && path !== REVIEWS)
      .map(({ method, path }) => `${method} ${path}`);

  it('asks for its rights before it writes, each verb and kind once', async () => {
    await importText(datastore);
    const methods = server.requests.map(({ path, method }) => `${method} ${path}`);
    const first = methods.findIndex((text) => text.startsWith('POST') && !text.endsWith(REVIEWS));
    const reviews = methods.filter((text) => text === `POST ${REVIEWS}`);
    expect(reviews.length).to.be.greaterThan(8);
    expect(methods.slice(first).filter((text) => text === `POST ${REVIEWS}`)).to.deep.equal([]);
  });

  it('locks first, then goes kind by kind in order, and takes the mark off last', async () => {
    await importText(datastore, { concurrency: 16 });
    const order = writes().map((text) => text.split('/').at(text.startsWith('POST') ? -1 : -2));
    const first = (plural: string): number => order.indexOf(plural);
    const last = (plural: string): number => order.lastIndexOf(plural);
    expect(first('clusterinformations')).to.equal(0);
    const kinds = [
      'ippools',
      'tiers',
      'globalnetworkpolicies',
      'blockaffinities',
      'ipamblocks',
      'ipamhandles',
      'ipamconfigs',
    ];
    for (const [at, kind] of kinds.entries()) {
      const next = kinds[at + 1];
      if (next !== undefined)
        expect(last(kind), `${kind} before ${next}`).to.be.lessThan(first(next));
    }
    expect(last('clusterinformations')).to.equal(order.length - 1);
  });

  it('writes each row once, in one request', async () => {
    await importText(datastore);
    const posts = writes().filter((text) => text === `POST ${HANDLES}`);
    expect(posts).to.have.length(3);
    expect(server.requests.filter(({ path }) => path.startsWith(`${HANDLES}/`))).to.deep.equal([]);
  });

  it('waits when the server is busy, and finds what was done when an answer is lost', async () => {
    server.fail({
      method: 'POST',
      path: HANDLES,
      times: 2,
      fault: { type: 'status', status: 429, retryAfter: 1 },
    });
    server.fail({
      method: 'POST',
      path: `${API}/ipamblocks`,
      times: 1,
      fault: { type: 'reset', afterBytes: 0 },
    });
    server.fail({
      method: 'POST',
      path: `${API}/tiers`,
      times: 1,
      fault: { type: 'reset', afterBytes: 0 },
    });
    server.fail({
      method: 'PUT',
      path: `${API}/clusterinformations/default`,
      times: 1,
      fault: { type: 'status', status: 409, reason: 'Conflict' },
    });
    const { verdict, error } = await importText(datastore);
    expect(verdict, error?.message ?? '').to.equal('ok');
  });

  it('leaves a row that appears while it writes, and does the rest', async () => {
    server.onRequest = (path) => {
      const isFirst = server.seen(path).filter(({ method }) => method === 'POST').length === 1;
      if (path !== `${API}/ipamblocks` || !isFirst) return;
      server.put({
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'IPAMHandle',
        metadata: { name: 'k8s-pod-network.aa', uid: 'u', resourceVersion: '9' },
        spec: { handleID: 'k8s-pod-network.aa', block: { '198.18.0.0/28': 7 }, deleted: false },
      });
    };
    const { verdict, document } = await importText(datastore);
    expect(verdict).to.equal('partial');
    const left = document.items.filter(({ result }) => result === 'skipped');
    expect(left.map(({ subject }) => subject.name)).to.deep.equal([
      'k8s-pod-network.aa',
      'default',
    ]);
    const row = await datastore.get('ClusterInformation', { name: 'default' });
    expect(readMark(row?.object, IMPORT_MARK)).to.include({ phase: 'verification' });
    const handle = await datastore.get('IPAMHandle', { name: 'k8s-pod-network.bb' });
    expect(handle).not.to.equal(undefined);
  });

  it('goes on after one object is refused by the server, and names it', async () => {
    server.fail({
      method: 'POST',
      path: `${API}/ipreservations`,
      fault: { type: 'status', status: 422, reason: 'Invalid', message: 'no such cidr' },
    });
    const { verdict, document } = await importText(datastore);
    expect(verdict).to.equal('partial');
    const failed = document.items.filter(({ result }) => result === 'failed');
    expect(failed.map(({ subject }) => subject.name)).to.deep.equal(['printers']);
    expect(document.items.filter(({ result }) => result === 'applied').length).to.be.greaterThan(
      10,
    );
  });

  it('ends when the server is gone, and goes on later', async () => {
    const gone = { type: 'status', status: 503 } as const;
    server.fail({ method: 'POST', path: HANDLES, fault: gone });
    for (const id of ['ipip-tunnel-addr-node-a', 'k8s-pod-network.aa', 'k8s-pod-network.bb']) {
      server.fail({ path: `${HANDLES}/${id}`, fault: gone });
    }
    const cut = await importText(datastore);
    expect(cut.verdict).to.equal('partial');
    server.faults.clear();
    const { verdict, document } = await importText(datastore, { isResume: true });
    expect(verdict).to.equal('ok');
    const applied = document.items.filter(({ result }) => result === 'applied');
    expect(applied.map(({ subject }) => subject.kind)).to.deep.equal([
      'ClusterInformation',
      'IPAMHandle',
      'IPAMHandle',
      'IPAMHandle',
      'IPAMConfig',
      'ClusterInformation',
    ]);
  });

  it('keeps within its concurrency', async () => {
    const handles = Array.from({ length: 60 }, (_, at) => aHandle(`k8s-pod-network.${at}`, {}));
    let [inFlight, most] = [0, 0];
    const create = datastore.create.bind(datastore);
    datastore.create = async (row, options) => {
      most = Math.max(most, ++inFlight);
      try {
        return await create(row, options);
      } finally {
        inFlight--;
      }
    };
    await importText(datastore, { text: fileText({ ...PLAIN_FILE, handles }), concurrency: 5 });
    expect(most).to.equal(5);
  });
});

describe('operations/import-datastore on a server without definitions', () => {
  const definitions = readDefinitions(
    ['crd.projectcalico.org.yaml', 'objects.yaml'].flatMap((name) =>
      [...readDocuments(readFileSync(new URL(name, CRDS), 'utf8'), name)].map(({ value }) => value),
    ),
  ).filter(({ group }) => group === 'crd.projectcalico.org');

  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startFakeApiServer({ groups: [] });
    for (const name of ['node-a', 'node-b']) server.put(aKubernetesNode(name));
  });
  afterEach(() => server.stop());

  it('refuses, naming the kinds, and writes nothing', async () => {
    const datastore = await openWritable(server, notingPorts(), {
      groupIfAbsent: 'crd.projectcalico.org/v1',
    });
    const failure = await failureOf(importText(datastore));
    expect(failure).to.be.instanceOf(PreconditionError);
    expect(failure.message)
      .to.include('ClusterInformation')
      .and.include('IPAMBlock')
      .and.include('NetworkSet');
    expect(server.requests.filter(({ method }) => method !== 'GET')).to.deep.equal([]);
    await datastore.close();
  });

  it('refuses definitions that lack a kind of the file', async () => {
    const datastore = await openWritable(server, notingPorts(), {
      groupIfAbsent: 'crd.projectcalico.org/v1',
    });
    const some = definitions.filter(({ resource }) => resource !== 'ipamhandles');
    const failure = await failureOf(importText(datastore, { definitions: some }));
    expect(failure.message).to.match(/no definitions of Calico's IPAMHandle;/);
    await datastore.close();
  });

  it('installs them first where they are given', async () => {
    const groupIfAbsent = calicoGroupOf(definitions);
    const datastore = await openWritable(server, notingPorts(), { groupIfAbsent });
    const { verdict, error, document } = await importText(datastore, { definitions });
    expect(verdict, error?.message ?? '').to.equal('ok');
    expect(endsOf(document.items)).to.deep.equal(
      definitions.map(({ name }) => ({ name, action: 'create-object', result: 'applied' })),
    );
    const block = await datastore.get('IPAMBlock', { name: '198-18-0-0-28' });
    expect((block?.object?.['spec'] as JsonObject)['cidr']).to.equal('198.18.0.0/28');
    await datastore.close();
  });

  it('lists those that it would install, and no others, and installs none', async () => {
    const groupIfAbsent = calicoGroupOf(definitions);
    const datastore = await openWritable(server, notingPorts(), { groupIfAbsent });
    await datastore.definitions?.install(definitions.slice(2));
    const before = server.requests.length;
    const { plan, isEmpty } = await planText(datastore, { definitions });
    const planned = plan.document.items.filter(isOfDefinition);
    expect(planned.map(({ subject }) => subject.name)).to.deep.equal(
      definitions.slice(0, 2).map(({ name }) => name),
    );
    expect(plan.document.items.slice(0, 2)).to.deep.equal(planned);
    expect(isEmpty).to.equal(false);
    const methods = new Set(server.requests.slice(before).map(({ method }) => method));
    expect([...methods]).to.deep.equal(['GET']);
    await datastore.close();
  });

  it('tells of one that somebody else has installed meanwhile', async () => {
    const groupIfAbsent = calicoGroupOf(definitions);
    const datastore = await openWritable(server, notingPorts(), { groupIfAbsent });
    const mutation = await planText(datastore, { definitions });
    await datastore.definitions?.install(definitions.slice(0, 1));
    const { document } = await mutation.apply();
    const ends = endsOf(document.items);
    expect(ends.map(({ result }) => result)).to.deep.equal([
      'already',
      ...definitions.slice(1).map(() => 'applied'),
    ]);
    await datastore.close();
  });

  const isOfDefinition = ({ subject }: PlanItem): boolean =>
    subject.kind === 'CustomResourceDefinition';

  const endsOf = (items: readonly OutcomeItem[]) =>
    items
      .filter(isOfDefinition)
      .map(({ subject, action, result }) => ({ name: subject.name, action, result }));
});
