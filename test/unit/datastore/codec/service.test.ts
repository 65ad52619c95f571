import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import type { JsonObject, JsonValue } from '../../../../src/ipam/model/resource.ts';
import { parseAddress } from '../../../../src/net/address.ts';
import { NEWER, anObject } from '../../../support/stored-objects.ts';

function read(parts: { spec?: JsonObject; ingress?: JsonValue; annotations?: JsonObject }) {
  const { ingress = [], annotations = {} } = parts;
  return decodeObject(
    'Service',
    anObject({
      apiVersion: 'v1',
      metadata: { namespace: 'shop', annotations },
      spec: { type: 'LoadBalancer', ...parts.spec },
      status: { loadBalancer: { ingress } },
    }),
  );
}

describe('datastore/codec/service', () => {
  for (const type of ['ClusterIP', 'NodePort', 'ExternalName', null]) {
    it(`does not look at a Service of type ${type}`, () => {
      expect(read({ spec: { type } })).to.equal(undefined);
    });
  }

  it('cannot read a Service without type that shows addresses', () => {
    expect(read({ spec: { type: null }, ingress: [{ ip: '10.9.8.1' }] })).to.include({
      unreadable: 'spec.type is missing, although status shows addresses',
    });
  });

  it('reads the ingress addresses in any spelling and leaves host names out', () => {
    const ingress = [
      { ip: '10.9.8.1' },
      { hostname: 'a.example' },
      { ip: '2001:DB8::0:1' },
      { ip: '' },
    ];
    expect(read({ ingress })).to.deep.include({
      addresses: [parseAddress('10.9.8.1'), parseAddress('2001:db8::1')],
    });
  });

  const REQUESTS: readonly (readonly [string, boolean, Parameters<typeof read>[0]])[] = [
    ['nothing', false, {}],
    ['IPv4 pools', true, { annotations: { 'projectcalico.org/ipv4pools': '["a"]' } }],
    ['IPv6 pools', true, { annotations: { 'projectcalico.org/ipv6pools': '["a"]' } }],
    ['addresses', true, { annotations: { 'projectcalico.org/loadBalancerIPs': '["10.9.8.1"]' } }],
    ['a blank annotation', false, { annotations: { 'projectcalico.org/ipv4pools': '' } }],
    ['an address in its spec', true, { spec: { loadBalancerIP: '10.9.8.1' } }],
    ['a blank address in its spec', false, { spec: { loadBalancerIP: '' } }],
  ];
  for (const [title, requested, parts] of REQUESTS) {
    it(`${requested ? 'asks' : 'does not ask'} for an address by ${title}`, () => {
      expect(read(parts)).to.have.property('requested', requested);
    });
  }

  it('reads the class', () => {
    expect(read({ spec: { loadBalancerClass: 'calico' } })).to.include({
      loadBalancerClass: 'calico',
    });
    expect(read({})).to.include({ loadBalancerClass: undefined });
  });

  const DAMAGE: readonly (readonly [string, Parameters<typeof read>[0]])[] = [
    [
      'status.loadBalancer.ingress[0].ip "10.9.8.300" is no address',
      { ingress: [{ ip: '10.9.8.300' }] },
    ],
    ['status.loadBalancer.ingress[0].ip 5 is no text', { ingress: [{ ip: 5 }] }],
    ['status.loadBalancer.ingress "x" is no list', { ingress: 'x' }],
    ['spec.type 5 is no text', { spec: { type: 5 } }],
  ];
  for (const [unreadable, parts] of DAMAGE) {
    it(`cannot read a Service where ${unreadable}`, () => {
      expect(read(parts)).to.include({ kind: 'Service', unreadable });
    });
  }

  it('cannot read a load balancer whose annotations are no map', () => {
    const metadata = { namespace: 'shop', annotations: [] };
    const object = anObject({ apiVersion: 'v1', metadata, spec: { type: 'LoadBalancer' } });
    expect(decodeObject('Service', object)).to.include({
      unreadable: 'metadata.annotations […] is no object',
    });
  });
});

describe('datastore/codec/workload-endpoint', () => {
  function readEndpoint(spec: JsonObject) {
    const sound = {
      node: 'node-1',
      orchestrator: 'k8s',
      pod: 'cart-0',
      ipNetworks: ['10.0.0.1/32'],
    };
    const metadata = { namespace: 'shop' };
    return decodeObject(
      'WorkloadEndpoint',
      anObject({ apiVersion: NEWER, metadata, spec: { ...sound, ...spec } }),
    );
  }

  it('reads node, orchestrator, pod and addresses', () => {
    expect(readEndpoint({ ipNetworks: ['10.0.0.1/32', 'FD00::1/128'] })).to.deep.include({
      kind: 'WorkloadEndpoint',
      node: 'node-1',
      orchestrator: 'k8s',
      pod: 'cart-0',
      addresses: [parseAddress('10.0.0.1'), parseAddress('fd00::1')],
    });
  });

  it('reads an endpoint without pod and addresses', () => {
    expect(readEndpoint({ pod: null, ipNetworks: null, orchestrator: 'cni' })).to.deep.include({
      pod: undefined,
      addresses: [],
    });
  });

  const DAMAGE: readonly (readonly [string, string | undefined, JsonObject])[] = [
    ['spec.ipNetworks "x" is no address', 'node-1', { ipNetworks: ['x'] }],
    ['spec.ipNetworks[0] 5 is no text', 'node-1', { ipNetworks: [5] }],
    ['spec.orchestrator is missing', 'node-1', { orchestrator: null }],
    ['spec.node is missing', undefined, { node: null }],
  ];
  for (const [unreadable, node, spec] of DAMAGE) {
    it(`cannot read an endpoint where ${unreadable}`, () => {
      expect(readEndpoint(spec)).to.include({ kind: 'WorkloadEndpoint', unreadable, node });
    });
  }
});
