import { expect } from 'chai';
import type { JsonObject } from '../../src/support/json.ts';
import { apiClient, demand, type ApiClient } from '../support/api-client.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { removeCrds, serveOnly, type CrdGroup } from '../support/crds.ts';
import { requireApiServer, requireEtcd } from '../support/shared-servers.ts';
import { wipe } from '../support/wipe.ts';
import { readFileSync } from 'node:fs';

const SEQUENCE_NUMBER = 1_764_426_000_123_456_789n;
const BLOCKS = '/apis/crd.projectcalico.org/v1/ipamblocks';

const aBlock = (): JsonObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPAMBlock',
  metadata: { name: '192-0-2-0-30' },
  spec: {
    cidr: '192.0.2.0/30',
    allocations: [null, 0, null, null],
    unallocated: [0, 2, 3],
    attributes: [{ handle_id: 'h' }],
    sequenceNumber: SEQUENCE_NUMBER,
    strictAffinity: false,
  },
});

const aPod = (): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', finalizers: ['example.org/hold'] },
  spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
});

const servedGroups = async (client: ApiClient): Promise<string[]> => {
  const { body } = await demand(client, { method: 'GET', path: '/apis' });
  return (body as unknown as { groups: { name: string }[] }).groups.map((group) => group.name);
};

describe('test/support/api-server-process', () => {
  let api: ApiServer;

  before(async function () {
    api = await requireApiServer(this);
  });

  it('keeps 64-bit sequence numbers', async () => {
    await demand(api.admin, { method: 'POST', path: BLOCKS, body: aBlock() });
    const { body } = await demand(api.admin, { method: 'GET', path: `${BLOCKS}/192-0-2-0-30` });
    expect((body as { spec: JsonObject }).spec['sequenceNumber']).to.equal(SEQUENCE_NUMBER);
  });

  it('refuses rows that break the schema', async () => {
    const block = aBlock();
    (block['spec'] as JsonObject)['allocations'] = ['x'];
    expect((await api.admin.request('POST', BLOCKS, { body: block })).status).to.equal(422);
  });

  it('removes every object, finalizers or not', async () => {
    await demand(api.admin, {
      method: 'POST',
      path: '/api/v1/namespaces/default/pods',
      body: aPod(),
    });
    await wipe(api.admin);
    for (const path of ['/api/v1/pods', BLOCKS]) {
      const { body } = await demand(api.admin, { method: 'GET', path });
      expect((body as JsonObject)['items'], path).to.deep.equal([]);
    }
  });

  it('knows a user without rights', async () => {
    const ca = readFileSync(api.caFile, 'utf8');
    const client = apiClient({ server: api.server, ca, token: api.token('nobody') });
    expect((await client.request('GET', BLOCKS)).status).to.equal(403);
    client.close();
  });

  it('serves only the groups that were asked for', async () => {
    const groups: readonly CrdGroup[] = ['projectcalico.org', 'kubevirt.io'];
    await serveOnly(api.admin, groups);
    expect(await servedGroups(api.admin))
      .to.include.members([...groups])
      .and.not.include('crd.projectcalico.org');
    await removeCrds(api.admin, groups);
  });
});

describe('test/support/etcd-process', () => {
  it('answers for a store of its own', async function () {
    const etcd = await requireEtcd(this);
    const body = JSON.stringify({
      key: Buffer.from('/').toString('base64'),
      range_end: 'MA==',
      count_only: true,
    });
    const answer = await fetch(`${etcd.endpoint}/v3/kv/range`, { method: 'POST', body });
    expect(await answer.json()).to.not.have.property('count');
  });
});
