import { expect } from 'chai';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { demand } from '../support/api-client.ts';
import { type ChurningNode, churn, createNode } from '../support/churn.ts';
import { contextOf } from '../support/scripted-datastore.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { CHECK_OPTIONS } from '../support/writing-runs.ts';

const NODES: readonly ChurningNode[] = Array.from({ length: 4 }, (_, n) => ({
  node: `churn-${n}`,
  cidr: `10.77.${n}.0/26`,
  address: (ordinal) => `10.77.${n}.${ordinal}`,
}));

const CHURN_MS = 8_000;

const OBJECTS = [
  [
    'ippools',
    {
      kind: 'IPPool',
      metadata: { name: 'pods' },
      spec: { cidr: '10.77.0.0/16', blockSize: 26, nodeSelector: 'all()' },
    },
  ],
  [
    'ipamconfigs',
    {
      kind: 'IPAMConfig',
      metadata: { name: 'default' },
      spec: { strictAffinity: false, autoAllocateBlocks: true },
    },
  ],
  [
    'clusterinformations',
    {
      kind: 'ClusterInformation',
      metadata: { name: 'default' },
      spec: { clusterGUID: 'churn', datastoreReady: true },
    },
  ],
] as const;

describe('a check of a healthy cluster whose pods come and go', () => {
  let server: ApiServer;

  before(async function () {
    server = await requireApiServer(this);
    for (const [plural, object] of OBJECTS) {
      const body = { apiVersion: 'crd.projectcalico.org/v1', ...object };
      await demand(server.admin, {
        method: 'POST',
        path: `/apis/crd.projectcalico.org/v1/${plural}`,
        body,
      });
    }
    for (const node of NODES) await createNode(server.admin, node);
  });

  it('finds nothing, look after look', async function () {
    this.timeout(CHURN_MS + 60_000);
    const abort = new AbortController();
    const churning = Promise.all(NODES.map((node) => churn(server.admin, node, abort.signal)));
    const datastore = await openKubernetesDatastore({
      kubeconfig: { value: server.kubeconfig(), origin: 'test' },
      env: {},
    });
    const context = contextOf(datastore, {
      clock: { now: Date.now, sleep: () => Promise.resolve() },
    });
    const findings: string[] = [];
    let looks = 0;
    for (const until = Date.now() + CHURN_MS; Date.now() < until; looks++) {
      const { document } = await runCheck(context, CHECK_OPTIONS);
      findings.push(...document.findings.map(({ code, reason }) => `${code}: ${reason}`));
    }
    abort.abort();
    const started = (await churning).reduce((sum, count) => sum + count);
    await datastore.close();
    expect(findings).to.deep.equal([]);
    expect(looks).to.be.above(3);
    expect(started).to.be.above(20);
  });
});
