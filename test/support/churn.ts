import { setTimeout as sleep } from 'node:timers/promises';
import { cidrToName, hostnameHash } from '../../src/ipam/model/names.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { type ApiClient, demand } from './api-client.ts';
import { net } from './builders.ts';

const CALICO = '/apis/crd.projectcalico.org/v1';
const MERGE = 'application/merge-patch+json';
const GONE = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };

/** A node with a block of its own, whose pods come and go. */
export interface ChurningNode {
  readonly node: string;
  readonly cidr: string;
  /** First three parts of its addresses and its first ordinal. */
  readonly address: (ordinal: number) => string;
}

/** Creates node, block and affinity row. */
export async function createNode(client: ApiClient, { node, cidr }: ChurningNode): Promise<void> {
  const name = cidrToName(net(cidr));
  await demand(client, {
    method: 'POST',
    path: '/api/v1/nodes',
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name: node } },
  });
  const affinity = { cidr, node, state: 'confirmed', type: 'host', deleted: 'false' };
  await create(client, 'blockaffinities', {
    kind: 'BlockAffinity',
    metadata: {
      name: `${node}-${name}`,
      labels: { 'projectcalico.org/hostname-hash': hostnameHash(node) },
    },
    spec: affinity,
  });
  await create(client, 'ipamblocks', {
    kind: 'IPAMBlock',
    metadata: { name },
    spec: {
      cidr,
      affinity: `host:${node}`,
      allocations: Array.from({ length: 64 }, () => null),
      unallocated: Array.from({ length: 64 }, (_, i) => i),
      attributes: [],
      sequenceNumber: 1_764_426_000_123_456_789n,
      sequenceNumberForAllocation: {},
      deleted: false,
      strictAffinity: false,
    },
  });
}

/** Starts and ends pods on one node until the signal aborts, each write in the order in which Calico makes it. */
export async function churn(
  client: ApiClient,
  place: ChurningNode,
  signal: AbortSignal,
): Promise<number> {
  const running: { name: string; ordinal: number }[] = [];
  let started = 0;
  while (!signal.aborted) {
    if (running.length < 6) {
      const pod = { name: `pod-${place.node}-${started}`, ordinal: started % 64 };
      await startPod(client, place, pod);
      running.push(pod);
      started++;
    } else {
      await endPod(client, place, running.shift() as (typeof running)[number]);
    }
    await sleep(5);
  }
  return started;
}

interface PodPlace {
  readonly name: string;
  readonly ordinal: number;
}

/** The pod is bound, then its handle is raised, then the block is written, then the pod shows the address. */
async function startPod(
  client: ApiClient,
  place: ChurningNode,
  { name, ordinal }: PodPlace,
): Promise<void> {
  const spec = { nodeName: place.node, containers: [{ name: 'main', image: 'example/main' }] };
  const pods = '/api/v1/namespaces/default/pods';
  await demand(client, {
    method: 'POST',
    path: pods,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec },
  });
  const handle = `k8s-pod-network.${name}`;
  await create(client, 'ipamhandles', {
    kind: 'IPAMHandle',
    metadata: { name: handle },
    spec: { handleID: handle, block: { [place.cidr]: 1 }, deleted: false },
  });
  await changeBlock(client, place, (slots) =>
    slots.set(ordinal, {
      handle_id: handle,
      secondary: { namespace: 'default', node: place.node, pod: name },
    }),
  );
  const ip = place.address(ordinal);
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] };
  await demand(client, {
    method: 'PATCH',
    path: `${pods}/${name}/status`,
    body: { status },
    type: MERGE,
  });
}

/** The pod is marked, then its slot is freed, then its handle is gone, then the pod is. */
async function endPod(
  client: ApiClient,
  place: ChurningNode,
  { name, ordinal }: PodPlace,
): Promise<void> {
  const pod = `/api/v1/namespaces/default/pods/${name}`;
  await demand(client, { method: 'DELETE', path: pod, body: { ...GONE, gracePeriodSeconds: 30 } });
  await changeBlock(client, place, (slots) => slots.delete(ordinal));
  await demand(client, {
    method: 'DELETE',
    path: `${CALICO}/ipamhandles/k8s-pod-network.${name}`,
    body: GONE,
  });
  await demand(client, { method: 'DELETE', path: pod, body: GONE });
}

/** Rewrites the block's slots under the revision that was read. */
async function changeBlock(
  client: ApiClient,
  { cidr }: ChurningNode,
  change: (slots: Map<number, JsonObject>) => void,
): Promise<void> {
  const path = `${CALICO}/ipamblocks/${cidrToName(net(cidr))}`;
  const { body } = await demand(client, { method: 'GET', path });
  const block = body as {
    spec: { allocations: (number | null)[]; attributes: JsonObject[]; sequenceNumber: bigint };
  } & JsonObject;
  const { allocations, attributes } = block.spec;
  const slots = new Map<number, JsonObject>();
  for (const [ordinal, index] of allocations.entries())
    if (index !== null) slots.set(ordinal, attributes[index] as JsonObject);
  change(slots);
  const ordinals = [...slots.keys()];
  const spec = {
    ...block.spec,
    allocations: allocations.map((_, ordinal) =>
      slots.has(ordinal) ? ordinals.indexOf(ordinal) : null,
    ),
    unallocated: allocations.map((_, ordinal) => ordinal).filter((ordinal) => !slots.has(ordinal)),
    attributes: [...slots.values()],
    sequenceNumber: block.spec.sequenceNumber + 1n,
  };
  await demand(client, { method: 'PUT', path, body: { ...block, spec } });
}

async function create(client: ApiClient, plural: string, object: JsonObject): Promise<void> {
  await demand(client, {
    method: 'POST',
    path: `${CALICO}/${plural}`,
    body: { apiVersion: 'crd.projectcalico.org/v1', ...object },
  });
}
