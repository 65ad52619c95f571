/** Clusters on which every command has something to do, and everything that a check reads again. */
import { encodeRow } from '../../src/datastore/codec/encode.ts';
import type { WritableRow } from '../../src/datastore/datastore.ts';
import { OBJECT_KINDS, OBJECT_TYPES } from '../../src/datastore/object-store.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { aBlock, aHandle, anAffinity, aPool, podSlot, withRows } from './builders.ts';
import { aKubernetesNode } from './import-world.ts';
import { anObject, fileText, inNamespace, PLAIN_FILE } from './migration-text.ts';
import { nodeRows, tunnel } from './rename-world.ts';
import { type CalicoVersion, inGroup } from './seed-cluster.ts';
import { aClusterInformation, aConfig } from './settings-builders.ts';

const BARE = podSlot('shop/bare', 'node-a');

/** What is wrong with it: an entry for each repair, leaks, and a node that is gone. */
const TROUBLES: readonly Row[] = [
  ...withRows(
    aBlock('10.0.0.0/28', {
      1: podSlot('shop/gone', 'node-a'),
      2: podSlot('shop/cart', 'node-a'),
      3: BARE,
      4: {
        handle: 'k8s-pod-network.vm',
        owner: { namespace: 'shop', pod: 'virt-launcher-till-x', 'vmi-name': 'till' },
      },
    }),
  ).filter(({ key }) => key.name !== BARE.handle),
  ...withRows(aBlock('10.0.1.0/28')),
  ...withRows(
    aBlock('10.0.2.0/28', { 2: podSlot('shop/lost', 'node-x') }, { affinity: 'host:node-x' }),
  ),
  anAffinity('node-x', '10.0.9.0/28'),
  aBlock('10.0.3.0/28', { 1: podSlot('shop/third', 'node-a') }),
  aHandle('k8s-pod-network.shop-third', { '10.0.3.0/28': 3 }),
  aHandle('k8s-pod-network.orphan', { '10.0.0.0/28': 1 }),
  aBlock('10.0.4.0/28', {}, { affinity: undefined }),
  anAffinity('node-a', '10.0.4.0/28', { state: 'pending' }),
  aBlock('10.0.6.0/28', {}, { affinity: undefined }),
];

/** Pods, a Service, nodes and a machine; some of them carry addresses that IPAM does not know. */
const CARRIERS: readonly JsonObject[] = [
  aKubernetesNode('node-a', { 'projectcalico.org/IPv4VXLANTunnelAddr': '10.0.7.7' }),
  aKubernetesNode('node-b'),
  aPod('cart', '10.0.0.2'),
  aPod('third', '10.0.3.1'),
  aPod('stray', '10.0.0.9'),
  aPod('thief', '10.0.0.4'),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'web' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: [{ ip: '10.0.8.8' }] } },
  },
  ...['VirtualMachine', 'VirtualMachineInstance'].map((kind) => ({
    apiVersion: 'kubevirt.io/v1',
    kind,
    metadata: { namespace: 'shop', name: 'till' },
    spec: {},
  })),
];

function aPod(name: string, address: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'shop', name },
    spec: { nodeName: 'node-a', containers: [{ name: 'main', image: 'example.com/none' }] },
    status: { phase: 'Running', podIP: address, podIPs: [{ ip: address }] },
  };
}

/** Rows of a node whose tunnel has an address in each of two blocks, as a change of pools leaves it. */
function twoTunnelBlocks(): readonly Row[] {
  const rows = nodeRows('elm', 1, 'node-b');
  const second = aBlock('10.0.9.0/28', { 1: tunnel('elm') }, { affinity: 'host:elm' });
  const { handle = '' } = tunnel('elm');
  return [
    ...rows.filter(({ key }) => key.name !== handle),
    second,
    anAffinity('elm', '10.0.9.0/28'),
    aHandle(handle, { '10.0.1.0/28': 1, '10.0.9.0/28': 1 }),
  ];
}

/** Objects that Calico makes by itself, and of which a migration file says something else. */
function madeByCalico(version: CalicoVersion): readonly JsonObject[] {
  const object = (kind: string, spec: JsonObject): JsonObject => ({
    apiVersion: version,
    kind,
    metadata: { name: 'default' },
    spec,
  });
  return [
    object('Tier', { order: 7 }),
    object('FelixConfiguration', { logSeverityScreen: 'Debug' }),
    object('BGPConfiguration', { asNumber: 64999 }),
    object('KubeControllersConfiguration', { controllers: {}, logSeverityScreen: 'Debug' }),
  ];
}

const NAMESPACED: ReadonlySet<string> = new Set(
  Object.entries(OBJECT_TYPES).flatMap(([kind, { isNamespaced }]) => (isNamespaced ? kind : [])),
);

/** A migration file that holds an object of every kind. */
export function everyKindFile(): string {
  const objects = Object.fromEntries(
    OBJECT_KINDS.map((kind): [string, JsonObject[]] => {
      const plain =
        kind === 'KubeControllersConfiguration'
          ? anObject('default', { controllers: {} })
          : anObject('one');
      return [kind, [NAMESPACED.has(kind) ? inNamespace('shop', plain) : plain]];
    }),
  );
  const bgp = anObject('default', { asNumber: 64500 });
  const text = fileText({
    ...PLAIN_FILE,
    objects: { ...objects, ...PLAIN_FILE.objects, BGPConfiguration: [bgp] },
  });
  const status = {
    apiVersion: 'projectcalico.org/v3',
    kind: 'CalicoNodeStatus',
    ...anObject('one'),
  };
  const list = { apiVersion: status.apiVersion, kind: 'CalicoNodeStatusList', items: [status] };
  return `${JSON.stringify(list)}\n---\n${text}`;
}

/** What a test's cluster starts from. */
export type ClusterName =
  'troubled' | 'calm' | 'lockedless' | 'bare' | 'installed' | 'without definitions';

/** The objects of a cluster, in a group of Calico. */
export function clusterObjects(name: ClusterName, version: CalicoVersion): readonly JsonObject[] {
  const stored = (rows: readonly Row[]): readonly JsonObject[] =>
    (rows as readonly WritableRow[]).map((row) =>
      inGroup(encodeRow({ ...row, revision: undefined, uid: undefined }, 'crd'), version),
    );
  const pool = aPool('main', '10.0.0.0/16', { blockSize: 28 });
  const nodes = [aKubernetesNode('node-a'), aKubernetesNode('node-b')];
  switch (name) {
    case 'troubled':
      return [...stored([aClusterInformation(), pool, ...TROUBLES]), ...CARRIERS];
    case 'calm':
      return [...stored([aClusterInformation(), pool, ...twoTunnelBlocks()]), ...nodes];
    case 'lockedless':
      return [...stored([pool]), ...nodes];
    case 'bare':
    case 'without definitions':
      return nodes;
    case 'installed':
      return [...stored([aConfig({ ipCooldownSeconds: 77 })]), ...nodes, ...madeByCalico(version)];
  }
}
