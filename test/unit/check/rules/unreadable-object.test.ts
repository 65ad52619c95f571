import { expect } from 'chai';
import { unreadableObject } from '../../../../src/check/rules/unreadable-object.ts';
import type { UnreadableRow } from '../../../../src/ipam/model/resource.ts';
import { aBlock, aNode, clusterOf } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const BLOCK: UnreadableRow = {
  kind: 'IPAMBlock',
  key: { name: '10-0-0-0-28' },
  unreadable: 'spec.cidr "10.0.0.0-28" is no CIDR',
};
const POD: UnreadableRow = {
  kind: 'Pod',
  key: { namespace: 'shop', name: 'odd-0' },
  unreadable: 'status.podIPs "10.0.0.300" is no address',
  node: 'node-a',
};

describe('check/rules/unreadable-object', () => {
  it('is quiet where everything can be read', () => {
    expect(judge(unreadableObject, clusterOf([aBlock('10.0.0.0/28'), aNode('node-a')]))).to.be
      .empty;
  });

  it('names the row and what is wrong with it', () => {
    const [finding] = judge(unreadableObject, clusterOf([BLOCK]));
    expect(finding?.subject).to.deep.include({ kind: 'IPAMBlock', name: '10-0-0-0-28' });
    expect(finding?.reason).to.equal(
      'IPAMBlock 10-0-0-0-28 cannot be read: spec.cidr "10.0.0.0-28" is no CIDR.',
    );
    expect(finding?.remedy).to.contain('`ipamctl datastore snapshot`');
  });

  it('names the namespace and node of a pod and leaves it to its owner', () => {
    const [finding] = judge(unreadableObject, clusterOf([POD]));
    expect(finding?.subject).to.deep.equal({
      kind: 'Pod',
      name: 'odd-0',
      namespace: 'shop',
      node: 'node-a',
    });
    expect(finding?.reason).to.match(/^Pod shop\/odd-0 cannot be read/);
    expect(finding?.remedy).to.match(/^Correct Pod shop\/odd-0, or recreate it/);
  });

  it('tells what is known of a row without readable name', () => {
    const nameless: UnreadableRow = {
      kind: 'Pod',
      key: { namespace: 'shop', name: '' },
      uid: '11d2',
      unreadable: 'metadata.name is missing',
    };
    const [finding] = judge(unreadableObject, clusterOf([nameless]));
    expect(finding?.reason).to.equal(
      'A row cannot be read, the Pod without readable name in namespace shop and with uid "11d2": metadata.name is missing.',
    );
  });

  it('is judged whatever was read, by kind and name', () => {
    const handle: UnreadableRow = { kind: 'IPAMHandle', key: { name: 'z' }, unreadable: 'no spec' };
    const rows = [POD, handle, BLOCK, { ...handle, key: { name: 'a' } }];
    expect(unreadableObject.needs).to.be.empty;
    expect(subjectsOf(unreadableObject, clusterOf(rows))).to.deep.equal([
      '10-0-0-0-28',
      'a',
      'z',
      'odd-0',
    ]);
  });
});
