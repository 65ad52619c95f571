import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import { ProtobufReader } from '../../../../src/datastore/kubernetes/protobuf-reader.ts';
import {
  nodeRowFromProtobuf,
  podRowFromProtobuf,
} from '../../../../src/datastore/kubernetes/protobuf-rows.ts';
import type { JsonObject } from '../../../../src/support/json.ts';
import { nodeInProtobuf, podInProtobuf } from '../../../support/fake-api/protobuf-encoder.ts';

const METADATA = {
  uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
  resourceVersion: '4711',
  creationTimestamp: '2026-03-01T10:00:00Z',
};

const aPod = (parts: {
  metadata?: JsonObject;
  spec?: JsonObject;
  status?: JsonObject;
}): JsonObject => ({
  metadata: { name: 'web-0', namespace: 'shop', ...METADATA, ...parts.metadata },
  spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'i' }], ...parts.spec },
  status: { phase: 'Running', ...parts.status },
});

const PODS: Readonly<Record<string, JsonObject>> = {
  'a running pod of both families': aPod({
    status: { podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }] },
  }),
  'a pod with addresses in annotations only': aPod({
    metadata: {
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': 'x'.repeat(3000),
        'cni.projectcalico.org/podIPs': '192.0.2.1/32,2001:db8::1/128',
        'cni.projectcalico.org/podIP': '192.0.2.1/32',
        'vpc.amazonaws.com/pod-ips': '192.0.2.3',
      },
      labels: { app: 'web' },
    },
  }),
  'a pod on the network of its host': aPod({
    spec: { hostNetwork: true },
    status: { podIP: '192.0.2.9' },
  }),
  'a finished pod': aPod({ status: { phase: 'Succeeded', podIP: '192.0.2.1' } }),
  'a pod that waits for a node': aPod({ spec: { nodeName: '' }, status: { phase: 'Pending' } }),
  'a terminating pod': aPod({ metadata: { deletionTimestamp: '2026-03-02T10:00:00Z' } }),
  'a pod whose address cannot be read': aPod({ status: { podIP: 'nonsense' } }),
};

const bare = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

describe('datastore/kubernetes/protobuf-rows', () => {
  for (const [what, pod] of Object.entries(PODS)) {
    it(`reads ${what} as its JSON is read`, () => {
      const row = podRowFromProtobuf(new ProtobufReader(podInProtobuf(pod)));
      expect(bare(row)).to.deep.equal(bare(decodeObject('Pod', pod) ?? {}));
    });
  }

  for (const [what, pod] of Object.entries(PODS)) {
    it(`keeps an object of ${what} from which the same row is read`, () => {
      const { object, ...row } = podRowFromProtobuf(
        new ProtobufReader(podInProtobuf(pod)),
        () => true,
      );
      expect(bare(decodeObject('Pod', object!) ?? {})).to.deep.equal(bare(row));
    });
  }

  it('reads a node with labels and tunnels as its JSON is read', () => {
    const node = {
      metadata: {
        name: 'node-1',
        ...METADATA,
        labels: { 'kubernetes.io/hostname': 'node-1', zone: 'ü' },
        annotations: {
          'projectcalico.org/IPv4VXLANTunnelAddr': '192.0.2.64',
          'projectcalico.org/IPv6WireguardInterfaceAddr': 'nonsense',
        },
      },
      spec: {},
    };
    const { object, ...row } = nodeRowFromProtobuf(
      new ProtobufReader(nodeInProtobuf(node)),
      () => true,
    );
    expect(bare(row)).to.deep.equal(bare(decodeObject('Node', node) ?? {}));
    expect(bare(decodeObject('Node', object!) ?? {})).to.deep.equal(bare(row));
  });
});
