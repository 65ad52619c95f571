import { expect } from 'chai';
import { carryClusterInformation } from '../../../../src/ipam/migration/carry-cluster.ts';
import { carryObject, isMirrored } from '../../../../src/ipam/migration/carry-object.ts';
import { NodeNames } from '../../../../src/ipam/migration/node-names.ts';
import type { ClusterInformationRow } from '../../../../src/ipam/model/cluster-information.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';

const names = new NodeNames(
  [
    { from: 'a', to: 'a.example' },
    { from: 'b', to: 'a' },
  ],
  new Set(['bare']),
);

function object(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec };
}

function nameOf(carried: JsonObject | undefined): unknown {
  return (carried?.['metadata'] as JsonObject | undefined)?.['name'];
}

describe('ipam/migration/carry-object', () => {
  it('takes away what the server knows, and keeps everything else', () => {
    const metadata = {
      name: 'main',
      namespace: 'shop',
      labels: { x: 'y' },
      annotations: { 'example.org/z': '' },
      uid: 'u',
      resourceVersion: '7',
      generation: 2,
      creationTimestamp: '2026-08-31T12:00:00Z',
      deletionTimestamp: '2026-08-31T12:00:00Z',
      deletionGracePeriodSeconds: 0,
      ownerReferences: [],
      finalizers: ['f'],
      managedFields: [],
      selfLink: '/x',
    };
    expect(
      carryObject('IPPool', { metadata, spec: { a: 1 }, status: {}, later: 1 }, names),
    ).to.deep.equal({
      metadata: {
        name: 'main',
        namespace: 'shop',
        labels: { x: 'y' },
        annotations: { 'example.org/z': '' },
      },
      spec: { a: 1 },
      status: {},
      later: 1,
    });
  });

  const named: readonly (readonly [kind: string, name: string, wanted: string])[] = [
    ['Node', 'a', 'a.example'],
    ['Node', 'b', 'a'],
    ['FelixConfiguration', 'node.a', 'node.a.example'],
    ['FelixConfiguration', 'node.x', 'node.x'],
    ['FelixConfiguration', 'default', 'default'],
    ['FelixConfiguration', 'a', 'a'],
    ['BGPConfiguration', 'node.b', 'node.a'],
    ['IPPool', 'a', 'a'],
    ['BGPPeer', 'a', 'a'],
  ];
  for (const [kind, name, wanted] of named) {
    it(`calls ${kind} ${name} ${wanted}`, () => {
      expect(nameOf(carryObject(kind, object(name), names))).to.equal(wanted);
    });
  }

  for (const kind of ['BGPPeer', 'CalicoNodeStatus', 'HostEndpoint']) {
    it(`maps the node of a ${kind}, once`, () => {
      expect(carryObject(kind, object('x', { node: 'b', peer: 'b' }), names)).to.deep.equal(
        object('x', { node: 'a', peer: 'b' }),
      );
      expect(carryObject(kind, object('x'), names)).to.deep.equal(object('x'));
    });

    it(`leaves a ${kind} of a skipped node out`, () => {
      expect(carryObject(kind, object('x', { node: 'bare' }), names)).to.equal(undefined);
    });
  }

  it('renames the endpoints that Calico made for a node, and no other', () => {
    const carried = ['a-auto-hep', 'a-eth-auto-hep', 'b-auto-hep', 'a-hand'].map((name) =>
      nameOf(carryObject('HostEndpoint', object(name, { node: 'a' }), names)),
    );
    expect(carried).to.deep.equal([
      'a.example-auto-hep',
      'a.example-eth-auto-hep',
      'b-auto-hep',
      'a-hand',
    ]);
  });

  it('leaves a skipped node and its configurations out', () => {
    expect(carryObject('Node', object('bare'), names)).to.equal(undefined);
    expect(carryObject('FelixConfiguration', object('node.bare'), names)).to.equal(undefined);
    expect(carryObject('BGPConfiguration', object('node.bare'), names)).to.equal(undefined);
    expect(carryObject('GlobalNetworkSet', object('bare'), names)).not.to.equal(undefined);
  });

  it('writes actions of Felix as their schema has them', () => {
    const spec = {
      defaultEndpointToHostAction: 'DROP',
      iptablesFilterAllowAction: 'accept',
      iptablesMangleAllowAction: 'Return',
      iptablesFilterDenyAction: 'REJECT',
      chainInsertMode: 'Insert',
      logPrefix: 'DROP',
    };
    expect(carryObject('FelixConfiguration', object('default', spec), names)).to.deep.equal(
      object('default', {
        ...spec,
        defaultEndpointToHostAction: 'Drop',
        iptablesFilterAllowAction: 'Accept',
        iptablesFilterDenyAction: 'Reject',
      }),
    );
  });

  it('knows policies that mirror those of Kubernetes', () => {
    expect(isMirrored('NetworkPolicy', object('knp.default.web'))).to.equal(true);
    expect(isMirrored('NetworkPolicy', object('default.web'))).to.equal(false);
    expect(isMirrored('GlobalNetworkPolicy', object('knp.default.web'))).to.equal(false);
  });
});

describe('ipam/migration/carry-cluster', () => {
  const row = (metadata: JsonObject, revision?: string): ClusterInformationRow =>
    ({
      kind: 'ClusterInformation',
      key: { name: 'default' },
      revision,
      object: { kind: 'ClusterInformation', metadata, spec: { clusterGUID: 'g' }, later: 1 },
    }) as unknown as ClusterInformationRow;

  it('is whole, with the revision of a live source', () => {
    expect(carryClusterInformation(row({ name: 'default', uid: 'u' }, '42'))).to.deep.equal({
      kind: 'ClusterInformation',
      apiVersion: 'projectcalico.org/v3',
      metadata: { name: 'default', uid: 'u', resourceVersion: '42' },
      spec: { clusterGUID: 'g' },
      later: 1,
    });
  });

  it('does not carry the marks of ipamctl', () => {
    const annotations = { 'ipamctl.projectcalico.org/lock': '{}', 'example.org/x': 'y' };
    const { metadata } = carryClusterInformation(
      row({ name: 'default', annotations }, 'content-1'),
    );
    expect(metadata).to.deep.equal({ name: 'default', annotations: { 'example.org/x': 'y' } });
    const bare = carryClusterInformation(
      row({ name: 'default', annotations: { 'ipamctl.projectcalico.org/lock': '{}' } }),
    );
    expect(bare['metadata']).to.deep.equal({ name: 'default' });
  });
});
