import type { JsonObject } from '../../src/support/json.ts';

/** What differs from pod to pod. */
export interface PodDraft {
  readonly name: string;
  readonly namespace: string;
  readonly node: string;
  readonly ips: readonly string[];
  /** Environment variables. */
  readonly settings: number;
}

const STARTED = '2026-10-05T08:00:00Z';
const READY = '2026-10-05T08:00:07Z';
const IMAGE = 'registry.example/team/service:1.4.2';
const DIGEST = `sha256:${'3b9f0c57'.repeat(8)}`;
const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** A pod as a ReplicaSet makes it and a kubelet runs it: mostly what nobody here needs. */
export function podObject(draft: PodDraft): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadataOf(draft),
    spec: {
      nodeName: draft.node,
      serviceAccountName: 'service',
      containers: [containerOf(draft)],
      tolerations: ['not-ready', 'unreachable'].map((taint) => ({
        key: `node.kubernetes.io/${taint}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      volumes: [
        { name: 'config', configMap: { name: 'service-config' } },
        { name: 'kube-api-access', projected: { sources: projectedSources() } },
      ],
    },
    status: statusOf(draft),
  };
}

function metadataOf({ name, namespace, ips }: PodDraft): JsonObject {
  const owner = name.slice(0, name.lastIndexOf('-'));
  return {
    name,
    namespace,
    generateName: `${owner}-`,
    labels: { app: 'service', team: namespace, 'pod-template-hash': owner.split('-').at(-1) ?? '' },
    annotations: {
      'cni.projectcalico.org/podIP': withPrefix(ips[0] ?? ''),
      'cni.projectcalico.org/podIPs': ips.map(withPrefix).join(','),
    },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: owner,
        uid: '5f0f6a52-6f1d-4c1c-9a55-0d6a3c6f7b21',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
}

function containerOf({ name, namespace, settings }: PodDraft): JsonObject {
  return {
    name: 'main',
    image: IMAGE,
    env: Array.from({ length: settings }, (_, i) => ({
      name: `SETTING_${i}`,
      value: `value-of-setting-${i}-in-${namespace}-for-${name}`,
    })),
    ports: [{ name: 'http', containerPort: 8080 }],
    resources: {
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { memory: '256Mi' },
    },
    readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10 },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/service' },
      { name: 'kube-api-access', mountPath: TOKEN_FOLDER, readOnly: true },
    ],
  };
}

function projectedSources(): JsonObject[] {
  return [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  ];
}

function statusOf({ ips }: PodDraft): JsonObject {
  const at = (type: string, lastTransitionTime: string): JsonObject => ({
    type,
    status: 'True',
    lastTransitionTime,
  });
  return {
    phase: 'Running',
    podIP: ips[0] ?? '',
    podIPs: ips.map((ip) => ({ ip })),
    hostIP: '192.168.0.1',
    startTime: STARTED,
    conditions: [
      at('PodReadyToStartContainers', STARTED),
      at('Initialized', STARTED),
      at('Ready', READY),
      at('ContainersReady', READY),
      at('PodScheduled', STARTED),
    ],
    containerStatuses: [
      {
        name: 'main',
        image: IMAGE,
        imageID: `registry.example/team/service@${DIGEST}`,
        containerID: `containerd://${DIGEST.slice(7)}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: STARTED } },
      },
    ],
  };
}

/** An address as a prefix that holds it alone. */
function withPrefix(ip: string): string {
  return `${ip}/${ip.includes(':') ? 128 : 32}`;
}
