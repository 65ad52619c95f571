import { expect } from 'chai';
import { BesideKubernetes } from '../../../src/datastore/beside-kubernetes.ts';
import { encodeRow } from '../../../src/datastore/codec/encode.ts';
import { entryPathOf } from '../../../src/datastore/codec/entry-path.ts';
import { entryText } from '../../../src/datastore/codec/entry-text.ts';
import type { WritableRow } from '../../../src/datastore/datastore.ts';
import { EtcdDatastore } from '../../../src/datastore/etcd/etcd-datastore.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { ENTRY_KEYS } from '../../../src/ipam/model/row-keys.ts';
import { runCheck } from '../../../src/operations/run-check.ts';
import {
  aBlock,
  aNode,
  aPod,
  aPool,
  podSlot,
  tunnelSlot,
  withRows,
} from '../../support/builders.ts';
import { MemoryEtcd } from '../../support/memory-etcd.ts';
import { contextOf, ScriptedDatastore } from '../../support/scripted-datastore.ts';
import { CHECK_OPTIONS } from '../../support/writing-runs.ts';

const RESOURCES = '/calico/resources/v3/projectcalico.org';
const CIDR = '10.0.0.0/26';

/** Entries by key. */
type Entries = Readonly<Record<string, string>>;

/** A moment of a cluster: what is in etcd and what is in Kubernetes. */
interface Moment {
  readonly etcd: Entries;
  readonly kubernetes: readonly Row[];
}

function entriesOf(rows: readonly Row[]): Entries {
  return Object.fromEntries(
    rows.map((row) => {
      const stored = inEtcd(row as WritableRow);
      return [entryPathOf(stored.kind, stored.key) ?? '', entryText(encodeRow(stored, 'etcd'))];
    }),
  );
}

function inEtcd(row: WritableRow): WritableRow {
  if (row.kind === 'IPAMBlock') return { ...row, key: ENTRY_KEYS.block(row.cidr) };
  if (row.kind === 'BlockAffinity') return { ...row, key: ENTRY_KEYS.affinity(row, row.cidr) };
  return row.kind === 'IPAMHandle' ? { ...row, key: ENTRY_KEYS.handle(row.id) } : row;
}

function resource(kind: string, plural: string, name: string, spec: object): Entries {
  const [namespace, short] = name.includes('/') ? name.split('/') : [undefined, name];
  const metadata = { name: short, ...(namespace === undefined ? {} : { namespace }) };
  const object = { kind, apiVersion: 'projectcalico.org/v3', metadata, spec };
  return { [`${RESOURCES}/${plural}/${name}`]: JSON.stringify(object) };
}

const calicoNode = (name: string): Entries =>
  resource('Node', 'nodes', name, {
    orchRefs: [{ nodeName: `k-${name}`, orchestrator: 'k8s' }],
    ipv4VXLANTunnelAddr: name === 'b' ? '10.0.2.9' : '',
  });

const endpoint = (pod: string, address: string): Entries =>
  resource('WorkloadEndpoint', 'workloadendpoints', `shop/a-k8s-${pod}-eth0`, {
    node: 'a',
    orchestrator: 'k8s',
    pod,
    ipNetworks: [`${address}/32`],
  });

const slot = (pod: string) => podSlot(`shop/${pod}`, 'a');
const common = {
  ...entriesOf([aPool('main', '10.0.0.0/16')]),
  ...resource('KubeControllersConfiguration', 'kubecontrollersconfigurations', 'default', {}),
  ...calicoNode('a'),
};
const one: Moment = {
  etcd: {
    ...common,
    ...entriesOf(withRows(aBlock(CIDR, { 1: slot('x') }, { affinity: 'host:a' }))),
    ...endpoint('x', '10.0.0.1'),
  },
  kubernetes: [aNode('k-a'), aPod('shop/x', 'k-a', '10.0.0.1')],
};
const two: Moment = {
  etcd: {
    ...common,
    ...entriesOf(withRows(aBlock(CIDR, { 1: slot('x'), 2: slot('y') }, { affinity: 'host:a' }))),
    ...endpoint('x', '10.0.0.1'),
    ...endpoint('y', '10.0.0.2'),
  },
  kubernetes: [...one.kubernetes, aPod('shop/y', 'k-a', '10.0.0.2')],
};
const withTunnel: Moment = {
  etcd: {
    ...one.etcd,
    ...calicoNode('b'),
    ...entriesOf(withRows(aBlock('10.0.2.0/26', { 9: tunnelSlot('b') }, { affinity: 'host:b' }))),
  },
  kubernetes: [...one.kubernetes, aNode('k-b')],
};

/** A cluster whose next moment begins with a request. */
function clusterOf(before: Moment, after: Moment, at: RegExp): BesideKubernetes {
  const etcd = new MemoryEtcd();
  const put = ({ etcd: entries }: Moment): void => {
    for (const [key, value] of Object.entries(entries))
      if (etcd.text(key) !== value) etcd.put(key, value);
  };
  let isOver = false;
  const turn = (request: string): void => {
    if (isOver || !at.test(request)) return;
    isOver = true;
    for (const key of Object.keys(before.etcd)) if (!(key in after.etcd)) etcd.drop(key);
    put(after);
    kubernetes.set(after.kubernetes);
  };
  const kubernetes = new ScriptedDatastore(before.kubernetes, ({ verb, kind }) =>
    turn(`${verb} ${kind}`),
  );
  put(before);
  etcd.onRequest = turn;
  return new BesideKubernetes(new EtcdDatastore(etcd), kubernetes);
}

async function codesOf(datastore: BesideKubernetes): Promise<readonly string[]> {
  const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
  return document.findings.map(({ code }) => code);
}

describe('operations/churn in etcd beside Kubernetes', () => {
  const moments: readonly (readonly [string, Moment, Moment])[] = [
    ['a pod comes', one, two],
    ['a pod goes', two, one],
    ['a node comes with its tunnel', one, withTunnel],
    ['a node goes with its tunnel', withTunnel, one],
  ];
  const requests = [
    ...['assignment', 'handle', 'host', 'workloadendpoints', 'nodes', 'ippools'].map(
      (folder) => new RegExp(`^range /calico/.*/${folder}/`),
    ),
    ...['Pod', 'Node', 'Service'].map((kind) => new RegExp(`^list ${kind}$`)),
  ];
  for (const [what, before, after] of moments) {
    for (const at of requests) {
      it(`finds nothing when ${what} at ${at.source}`, async () => {
        expect(await codesOf(clusterOf(before, after, at))).to.deep.equal([]);
      });
    }
  }

  it('finds nothing in either moment alone', async () => {
    for (const moment of [one, two, withTunnel])
      expect(await codesOf(clusterOf(moment, moment, /never/))).to.deep.equal([]);
  });

  it('confirms faults that stay: by rows of etcd, present and absent, and of Kubernetes', async () => {
    const [block] = Object.keys(entriesOf([aBlock(CIDR, {})]));
    const left = Object.entries(two.etcd).filter(
      ([key]) => key === block || !key.startsWith('/calico/ipam/'),
    );
    const broken: Moment = {
      etcd: { ...Object.fromEntries(left), ...calicoNode('b') },
      kubernetes: one.kubernetes,
    };
    const codes = await codesOf(clusterOf(broken, broken, /never/));
    expect(codes).to.have.members([
      'block-without-affinity',
      'leaked-address',
      'missing-handle',
      'missing-handle',
      'stale-endpoint',
    ]);
  });

  it('confirms that a Calico node is none whose Kubernetes node is gone', async () => {
    const removed: Moment = { ...withTunnel, kubernetes: one.kubernetes };
    const codes = await codesOf(clusterOf(removed, removed, /never/));
    expect(codes).to.have.members(['affinity-of-missing-node', 'leaked-address']);
  });
});
