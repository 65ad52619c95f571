import { expect } from 'chai';
import { type CheckReport, makeReport } from '../../../src/check/report.ts';
import { RULES } from '../../../src/check/registry.ts';
import { reportFindings, runRules } from '../../../src/check/run-rules.ts';
import { summarize } from '../../../src/check/summary.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { parseJson, stringifyJson } from '../../../src/support/json.ts';
import {
  CONTEXT,
  NOW,
  aBlock,
  aHandle,
  aNode,
  aPod,
  aPool,
  clusterOf,
  coolingSlot,
  podSlot,
  tunnelSlot,
  windowsSlot,
  withRows,
} from '../../support/builders.ts';
import { aClusterInformation, aMachine } from '../../support/settings-builders.ts';

const machine = {
  handle: 'k8s-pod-network.vmi.vms.db',
  owner: { namespace: 'vms', 'vmi-name': 'db', node: 'node-a' },
};
const rows: readonly Row[] = [
  aPool('main', '10.0.0.0/16'),
  aNode('node-a', { vxlan: '10.0.0.2' }),
  ...withRows(
    aBlock('10.0.0.0/26', {
      0: windowsSlot(),
      1: podSlot('shop/cart-0', 'node-a'),
      2: tunnelSlot('node-a'),
      4: podSlot('shop/gone', 'node-a'),
      5: coolingSlot(),
      6: { handle: 'x', owner: { type: 'somethingNew' } },
      7: machine,
      8: podSlot('shop/lent', 'node-b'),
      10: podSlot('shop/far', 'node-a'),
    }),
  ),
  aNode('node-b'),
  aPod('shop/cart-0', 'node-a', '10.0.0.1'),
  aPod('shop/lent', 'node-b', '10.0.0.8'),
  aPod('shop/far', 'node-a', '10.0.0.10'),
  aMachine('vms/db'),
  aHandle('Left.Over', {}),
  aHandle('young', {}, { createdAt: NOW - 1000 }),
  { ...aClusterInformation(), revision: '90417' } as Row,
];

function report(more: readonly Row[] = [], apiGroup = 'crd.projectcalico.org/v1'): CheckReport {
  const state = clusterOf([...rows, ...more]);
  const findings = reportFindings(runRules(RULES, state, CONTEXT).results);
  const tool = { name: 'ipamctl', version: '0.0.0-test' } as const;
  return makeReport(state, {
    ...CONTEXT,
    findings,
    tool,
    checkedAt: '2026-11-29T12:00:00Z',
    apiGroup,
  });
}

const entry = (ip: string) => report().allocations[ip]?.[0];

describe('check/report', () => {
  it('has the keys that calicoctl reads, in the cluster of the report', () => {
    expect(report()).to.include({
      version: 'v3.33.0',
      clusterGUID: '5d0c3c1e8f0b4b6fa9e2d7c6b5a49382',
      datastoreLocked: false,
      clusterInformationRevision: '90417',
      clusterType: 'k8s,bgp,kdd',
    });
    expect(
      report([{ ...aClusterInformation({ datastoreReady: false }) }]).datastoreLocked,
    ).to.equal(true);
  });

  it('sorts addresses as text, as calicoctl does', () => {
    expect(Object.keys(report().allocations)).to.deep.equal([
      '10.0.0.0',
      '10.0.0.1',
      '10.0.0.10',
      '10.0.0.2',
      '10.0.0.4',
      '10.0.0.5',
      '10.0.0.6',
      '10.0.0.7',
      '10.0.0.8',
    ]);
  });

  it('offers a leak for release, and nothing else', () => {
    const free = Object.values(report().allocations)
      .flat()
      .filter(({ inUse, coolingDown }) => !inUse && !coolingDown);
    expect(free.map(({ ip }) => ip)).to.deep.equal(['10.0.0.4']);
    expect(entry('10.0.0.4')).to.deep.equal({
      ip: '10.0.0.4',
      handle: 'k8s-pod-network.shop-gone',
      sequenceNumber: 1764426000123456004n,
      pod: 'gone',
      namespace: 'shop',
      node: 'node-a',
      type: undefined,
      creationTimestamp: undefined,
      inUse: false,
      borrowed: undefined,
      coolingDown: undefined,
      owners: null,
      block: '10.0.0.0/26',
    });
  });

  it('does not offer what is shared with a live address or young', () => {
    const shared = { ...podSlot('shop/cart-0', 'node-a'), handle: 'shared' };
    const young = podSlot('shop/new', 'node-a');
    const slots = {
      0: shared,
      1: shared,
      2: { ...young, owner: { ...young.owner, timestamp: '2026-11-29 11:59:30 +0000 UTC' } },
    };
    const more = [
      ...withRows(aBlock('10.0.1.0/26', slots)),
      aPod('shop/two', 'node-a', '10.0.1.1'),
    ];
    const { allocations } = report(more);
    expect(
      ['10.0.1.0', '10.0.1.1', '10.0.1.2'].map((ip) => allocations[ip]?.[0]?.inUse),
    ).to.deep.equal([true, true, true]);
  });

  const owners: Record<string, readonly string[] | null> = {
    '10.0.0.0': ['Reserved for Windows'],
    '10.0.0.1': ['Workload(shop/node--a-k8s-cart--0-eth0)'],
    '10.0.0.2': ['Node(node-a)'],
    '10.0.0.5': null,
    '10.0.0.6': ['UnknownType(somethingNew)'],
    '10.0.0.7': ['VirtualMachine(vms/db)'],
  };
  for (const [ip, labels] of Object.entries(owners)) {
    it(`names who holds ${ip}`, () => {
      expect(entry(ip)?.owners).to.deep.equal(labels);
    });
  }

  it('leaves the handle of cooling and Windows-reserved addresses out', () => {
    expect(entry('10.0.0.0')?.handle).to.equal(undefined);
    expect(entry('10.0.0.5')).to.include({ handle: undefined, inUse: false, coolingDown: true });
  });

  it('marks borrowed addresses', () => {
    expect(entry('10.0.0.8')?.borrowed).to.equal(true);
    expect(entry('10.0.0.1')?.borrowed).to.equal(undefined);
  });

  it('lists orphan handles that are old enough, with the uid that calicoctl shows', () => {
    const uid = '0d9f6a52-7f0e-4b63-9a55-2f1f0a9f7c11';
    expect(report().leakedHandles).to.deep.equal([
      { ID: 'Left.Over', UID: 'b0f9564a-fe70-4bc6-9aaa-f4f850f93e88', Revision: '102' },
    ]);
    expect(report([], 'projectcalico.org/v3').leakedHandles?.[0]?.UID).to.equal(uid);
  });

  it('keeps every bit of a sequence number through the file', () => {
    const text = stringifyJson(report());
    const read = parseJson(text) as { allocations: Record<string, { sequenceNumber: bigint }[]> };
    expect(read.allocations['10.0.0.1']?.[0]?.sequenceNumber).to.equal(1764426000123456001n);
  });
});

describe('check/summary', () => {
  it('counts what was looked at', () => {
    expect(summarize(clusterOf(rows), [])).to.deep.include({
      pools: 1,
      blocks: 1,
      allocations: 9,
      cooling: 1,
      inUse: { tunnel: 1, workload: 3, service: 0, virtualMachine: 1 },
      handles: { matched: 7, orphan: 2, missing: 0 },
    });
  });

  it('counts an address of two blocks once', () => {
    const state = clusterOf([
      aBlock('10.0.0.0/26', { 32: podSlot('shop/a', 'node-a') }),
      aBlock('10.0.0.32/28', { 0: podSlot('shop/b', 'node-a'), 1: coolingSlot() }),
    ]);
    expect(summarize(state, [])).to.include({ allocations: 2, cooling: 1 });
  });
});
