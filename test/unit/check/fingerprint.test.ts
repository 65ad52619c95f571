import { expect } from 'chai';
import { Fingerprints } from '../../../src/check/fingerprint.ts';
import type { ResourceKind, Revision } from '../../../src/ipam/model/resource.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import {
  aBlock,
  aHandle,
  aNode,
  aPod,
  aService,
  anAffinity,
  clusterOf,
} from '../../support/builders.ts';

const CIDR = '10.0.0.0/26';
const next = { revision: '999' as Revision };

/** A row, the same row after a change that counts, and after one that does not. */
const changes: readonly (readonly [ResourceKind, Row, Row, Row?])[] = [
  ['IPAMBlock', aBlock(CIDR), aBlock(CIDR, {}, next)],
  ['IPAMHandle', aHandle('h', {}), aHandle('h', {}, next)],
  ['BlockAffinity', anAffinity('node-a', CIDR), anAffinity('node-a', CIDR, next)],
  [
    'Pod',
    aPod('shop/a', 'node-a', '10.0.0.1'),
    aPod('shop/a', 'node-a', '10.0.0.2'),
    aPod('shop/a', 'node-a', '10.0.0.1', next),
  ],
  [
    'Node',
    aNode('node-a', { vxlan: '10.0.0.1' }),
    aNode('node-a', { vxlan: '10.0.0.2' }),
    aNode('node-a', { vxlan: '10.0.0.1' }, { labels: { zone: 'b' } }),
  ],
  [
    'Service',
    aService('edge/gw', '10.0.0.1'),
    aService('edge/gw', '10.0.0.2'),
    aService('edge/gw', '10.0.0.1', next),
  ],
];

const printOf = (row: Row, state: readonly Row[]): string =>
  new Fingerprints(clusterOf(state)).of({ kind: row.kind, key: row.key });

describe('check/fingerprint', () => {
  for (const [kind, row, changed, alike] of changes) {
    it(`tells a ${kind} apart from one that changed, and from none`, () => {
      const print = printOf(row, [row]);
      expect(printOf(row, [row])).to.equal(print);
      expect(printOf(row, [changed])).to.not.equal(print);
      expect(printOf(row, [])).to.not.equal(print);
      if (alike) expect(printOf(row, [alike])).to.equal(print);
    });
  }

  it('knows a row that cannot be read, and one that is marked deleted', () => {
    const row = aBlock(CIDR);
    const damaged: Row = { kind: 'IPAMBlock', key: row.key, unreadable: 'spec.cidr is none' };
    const prints = [[], [damaged], [{ ...row, deleted: true }]].map((rows) => printOf(row, rows));
    expect(prints).to.deep.equal(['absent', 'unreadable', 'deleted']);
  });

  it('says only whether a row of another kind is there to be read', () => {
    const key = { namespace: 'vms', name: 'db' };
    const print = (rows: readonly Row[]) =>
      new Fingerprints(clusterOf(rows)).of({ kind: 'VirtualMachine', key });
    expect(print([{ kind: 'VirtualMachine', key }])).to.not.equal(print([]));
  });

  it('takes a row without a revision for the same as long as it is there', () => {
    const row = aBlock(CIDR, {}, { revision: undefined });
    expect(printOf(row, [row])).to.equal('');
  });
});
