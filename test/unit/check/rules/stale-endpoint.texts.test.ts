import { expect } from 'chai';
import { staleEndpoint } from '../../../../src/check/rules/stale-endpoint.ts';

const base = {
  endpoint: 'shop/e',
  namespace: 'shop',
  node: 'node-a',
  pod: 'cart-0',
  addresses: ['10.0.0.1'],
};

describe('check/rules/stale-endpoint texts', () => {
  it('name pod, node and addresses as far as they are known', () => {
    expect(staleEndpoint.reason(base)).to.equal(
      'Endpoint shop/e of pod shop/cart-0 is still recorded on node node-a and shows 10.0.0.1, but there is no such pod.',
    );
    const bare = { ...base, endpoint: 'e', namespace: undefined, addresses: [] };
    expect(staleEndpoint.reason(bare)).to.contain(
      'Endpoint e of pod cart-0 is still recorded on node node-a, but',
    );
    expect(staleEndpoint.reason({ ...bare, pod: undefined })).to.contain('Endpoint e is still');
  });

  it('name the command that deletes it', () => {
    expect(staleEndpoint.remedyFor(base)).to.contain('workloadendpoint e --namespace=shop');
    expect(
      staleEndpoint.remedyFor({ ...base, endpoint: 'e', namespace: undefined }),
    ).to.not.contain('--namespace');
  });
});
