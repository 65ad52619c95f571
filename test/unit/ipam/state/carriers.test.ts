import { expect } from 'chai';
import type { ClusterState } from '../../../../src/ipam/state/cluster-state.ts';
import type { NodeRow } from '../../../../src/ipam/model/node.ts';
import type { WorkloadEndpointRow } from '../../../../src/ipam/model/workload-endpoint.ts';
import { aNode, aPod, aService, clusterOf, ip } from '../../../support/builders.ts';
import { aControllersConfiguration } from '../../../support/settings-builders.ts';

const carriers = (state: ClusterState, address: string) =>
  state
    .carriersOf(ip(address))
    .map(({ kind, namespace, name }) => `${kind} ${namespace ?? ''}/${name}`);

describe('ipam/state/carriers', () => {
  it('lists nodes, pods and Services that show an address, and not what is finished, on the host network or unplaced', () => {
    const at = '10.0.0.1';
    const state = clusterOf([
      aService('edge/gw', at),
      aPod('shop/b', 'node-a', at),
      aPod('shop/a', 'node-a', at),
      aNode('node-a', { vxlan: at, ipip: at }),
      aPod('shop/done', 'node-a', at, { finished: true }),
      aPod('shop/host', 'node-a', at, { hostNetwork: true }),
      aPod('shop/waits', 'node-a', at, { node: undefined }),
    ]);
    expect(carriers(state, at)).to.deep.equal([
      'Node /node-a',
      'Pod shop/a',
      'Pod shop/b',
      'Service edge/gw',
    ]);
    expect([...state.carriedAddresses()]).to.deep.equal([ip(at)]);
  });

  const managed: readonly (readonly [string | undefined, string | undefined, boolean, boolean])[] =
    [
      // assignIPs, class, requested, managed
      ['AllServices', undefined, false, true],
      ['AllServices', 'calico', false, true],
      ['AllServices', 'other', true, false],
      ['RequestedServicesOnly', undefined, false, false],
      ['RequestedServicesOnly', undefined, true, true],
      ['RequestedServicesOnly', 'calico', false, true],
      ['RequestedServicesOnly', 'other', true, false],
      ['', 'calico', true, false],
      [undefined, undefined, false, true],
    ];
  for (const [assignIPs, loadBalancerClass, requested, expected] of managed) {
    it(`takes a Service of class ${loadBalancerClass}, requested ${requested}, under ${assignIPs} for ${expected ? 'ours' : 'foreign'}`, () => {
      const configuration = { ...aControllersConfiguration(), assignIPs };
      const state = clusterOf([
        configuration,
        aService('edge/gw', '10.0.0.1', { loadBalancerClass, requested }),
      ]);
      expect(state.service('edge', 'gw')?.managed).to.equal(expected);
      expect(state.carriersOf(ip('10.0.0.1'))[0]?.managed).to.equal(expected);
    });
  }

  const calico = (name: string, kubernetesName: string | undefined): NodeRow =>
    aNode(name, {}, { origin: 'calico', kubernetesName });

  it('counts a Calico node only while its Kubernetes node exists, and knows pods by the Calico name', () => {
    const state = clusterOf([
      aNode('k1.example'),
      calico('n1', 'k1.example'),
      calico('n2', 'k2.example'),
      calico('bare', undefined),
      aPod('shop/a', 'k1.example', '10.0.0.1'),
    ]);
    expect(state.nodes.map(({ name }) => name)).to.deep.equal(['bare', 'n1']);
    expect(state.pod('shop', 'a')?.node).to.equal('n1');
    expect(state.carriersOf(ip('10.0.0.1'))[0]?.node).to.equal('n1');
  });

  const endpoint = (pod: string, address: string): WorkloadEndpointRow => ({
    kind: 'WorkloadEndpoint',
    key: { namespace: 'shop', name: `node--a-k8s-${pod}-eth0` },
    node: 'node-a',
    orchestrator: 'k8s',
    pod,
    addresses: [ip(address)],
  });

  it('takes an endpoint for a carrier while its pod exists, and for stale otherwise', () => {
    const state = clusterOf([
      endpoint('a', '10.0.0.1'),
      endpoint('gone', '10.0.0.2'),
      aPod('shop/a', 'node-a'),
    ]);
    expect(carriers(state, '10.0.0.1')).to.deep.equal(['Pod shop/a']);
    expect(carriers(state, '10.0.0.2')).to.deep.equal([]);
    expect(state.staleEndpoints.map(({ pod }) => pod)).to.deep.equal(['gone']);
  });

  it('cannot call an endpoint stale where pods were not read', () => {
    const state = clusterOf([endpoint('gone', '10.0.0.2')], { without: ['Pod'] });
    expect(carriers(state, '10.0.0.2')).to.deep.equal([
      'WorkloadEndpoint shop/node--a-k8s-gone-eth0',
    ]);
    expect(state.staleEndpoints).to.have.length(0);
  });
});
