import { expect } from 'chai';
import {
  cutHandleId,
  NodeNames,
  readNodeNames,
} from '../../../../src/ipam/migration/node-names.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';

function node(name: string, ...references: readonly (readonly [string, string])[]): JsonObject {
  const orchRefs = references.map(([orchestrator, nodeName]) => ({ orchestrator, nodeName }));
  return { metadata: { name }, spec: { orchRefs } };
}

const NONE: ReadonlySet<string> = new Set();

describe('ipam/migration/node-names', () => {
  const names = new NodeNames([
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
    { from: 'rack-1', to: 'rack-1.example' },
  ]);

  it('changes all names at once', () => {
    expect(['a', 'b', 'rack-1', 'rack', 'x'].map((name) => names.nameOf(name))).to.deep.equal([
      'b',
      'a',
      'rack-1.example',
      'rack',
      'x',
    ]);
  });

  for (const prefix of [
    'ipip-tunnel-addr-',
    'vxlan-tunnel-addr-',
    'vxlan-v6-tunnel-addr-',
    'wireguard-tunnel-addr-',
    'wireguard-v6-tunnel-addr-',
  ]) {
    it(`renames the node behind ${prefix}`, () => {
      expect(names.handleId(`${prefix}rack-1`)).to.equal(`${prefix}rack-1.example`);
      expect(names.handleId(`${prefix}rack-12`)).to.equal(`${prefix}rack-12`);
    });
  }

  it('leaves handles of workloads alone', () => {
    expect(names.handleId('k8s-pod-network.a')).to.equal('k8s-pod-network.a');
    expect(names.handleId('a')).to.equal('a');
  });

  it('cuts an id at a carriage return and renames what is left', () => {
    expect(cutHandleId('x.1\r\neth0')).to.equal('x.1');
    expect(cutHandleId('x.1\neth0')).to.equal('x.1\neth0');
    expect(names.handleId('ipip-tunnel-addr-a\r\ntunl0')).to.equal('ipip-tunnel-addr-b');
  });

  it('knows whose tunnel a handle is', () => {
    const some = new NodeNames([], new Set(['bare']));
    expect(some.isSkippedHandle('vxlan-v6-tunnel-addr-bare\r\nx')).to.equal(true);
    expect(some.isSkippedHandle('vxlan-v6-tunnel-addr-bare2')).to.equal(false);
    expect(some.isSkippedHandle('bare')).to.equal(false);
  });

  it('tells which node gets the name of a host that is no node', () => {
    expect(names.nodeThatBecomes('rack-1.example')).to.equal('rack-1');
    expect(names.nodeThatBecomes('a')).to.equal(undefined);
    expect(names.nodeThatBecomes('x')).to.equal(undefined);
  });

  it('reads the name of each node from its reference', () => {
    const nodes = [node('a', ['k8s', 'b']), node('c', ['openstack', 'd'], ['k8s', 'c.example'])];
    expect(readNodeNames(nodes, NONE)).to.deep.equal({
      names: [
        { from: 'a', to: 'b' },
        { from: 'c', to: 'c.example' },
      ],
      refusals: [],
    });
  });

  it('takes two references to one name for one', () => {
    const { refusals } = readNodeNames([node('a', ['k8s', 'a'], ['k8s', 'a'])], NONE);
    expect(refusals).to.deep.equal([]);
  });

  it('lists every node whose name is missing, doubtful, impossible or shared', () => {
    const nodes = [
      node('bare-1'),
      node('bare-2', ['openstack', 'x']),
      { metadata: { name: 'bare-3' } },
      node('two', ['k8s', 'x'], ['k8s', 'y']),
      node('bad', ['k8s', 'Upper']),
      node('one', ['k8s', 'same']),
      node('other', ['k8s', 'same']),
    ];
    const { refusals } = readNodeNames(nodes, NONE);
    expect(refusals.map(({ code, subject }) => [subject, code])).to.deep.equal([
      ['Node bare-1', 'no-kubernetes-name'],
      ['Node bare-2', 'no-kubernetes-name'],
      ['Node bare-3', 'no-kubernetes-name'],
      ['Node two', 'several-kubernetes-names'],
      ['Node bad', 'impossible-name'],
      ['Node one', 'shared-kubernetes-name'],
      ['Node other', 'shared-kubernetes-name'],
    ]);
  });

  it('passes over nodes that are left out', () => {
    const nodes = [node('bare'), node('one', ['k8s', 'same']), node('other', ['k8s', 'same'])];
    const { names: left, refusals } = readNodeNames(nodes, new Set(['bare', 'other']));
    expect(left).to.deep.equal([{ from: 'one', to: 'same' }]);
    expect(refusals).to.deep.equal([]);
  });
});
