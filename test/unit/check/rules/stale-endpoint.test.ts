import { expect } from 'chai';
import { staleEndpoint } from '../../../../src/check/rules/stale-endpoint.ts';
import type { WorkloadEndpointRow } from '../../../../src/ipam/model/workload-endpoint.ts';
import { aPod, clusterOf, ip } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const ENDPOINT: WorkloadEndpointRow = {
  kind: 'WorkloadEndpoint',
  key: { namespace: 'shop', name: 'alder-k8s-old--1-eth0' },
  node: 'alder',
  orchestrator: 'k8s',
  pod: 'old-1',
  addresses: [ip('10.0.0.5')],
};

describe('check/rules/stale-endpoint', () => {
  it('fires for an endpoint whose pod does not exist', () => {
    const [finding] = judge(staleEndpoint, clusterOf([ENDPOINT]));
    expect(finding?.subject).to.deep.equal({
      kind: 'WorkloadEndpoint',
      name: 'alder-k8s-old--1-eth0',
      namespace: 'shop',
      address: '10.0.0.5',
      node: 'alder',
    });
    expect(finding?.reason).to.equal(
      'Endpoint shop/alder-k8s-old--1-eth0 of pod shop/old-1 is still recorded on node alder and shows 10.0.0.5, but there is no such pod.',
    );
    expect(finding?.remedy).to.contain(
      '`calicoctl delete workloadendpoint alder-k8s-old--1-eth0 --namespace=shop`',
    );
  });

  it('is quiet while the pod exists', () => {
    expect(subjectsOf(staleEndpoint, clusterOf([ENDPOINT, aPod('shop/old-1', 'alder')]))).to.be
      .empty;
  });

  it('lacks pods only where there are endpoints to compare with them', () => {
    expect(staleEndpoint.missingFor?.(clusterOf([ENDPOINT], { without: ['Pod'] }))).to.deep.equal([
      'Pod',
    ]);
    expect(staleEndpoint.missingFor?.(clusterOf([], { without: ['Pod'] }))).to.be.empty;
    expect(subjectsOf(staleEndpoint, clusterOf([ENDPOINT], { without: ['Pod'] }))).to.be.empty;
  });
});
