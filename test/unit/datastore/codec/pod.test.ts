import { expect } from 'chai';
import { decodeObject } from '../../../../src/datastore/codec/decode.ts';
import { podRow } from '../../../../src/datastore/codec/pod.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { type Address, formatAddress } from '../../../../src/net/address.ts';
import { aPod } from '../../../support/stored-objects.ts';

const POD_IPS = 'cni.projectcalico.org/podIPs';
const POD_IP = 'cni.projectcalico.org/podIP';
const AWS_IPS = 'vpc.amazonaws.com/pod-ips';
const DELETED = { deletionTimestamp: '2026-11-29T10:00:00Z' };

type Parts = Parameters<typeof aPod>[0];

function read(parts: Parts) {
  return decodeObject('Pod', aPod(parts));
}

function shownBy(parts: Parts): string[] {
  const row = read(parts);
  expect(row).to.have.property('addresses');
  return (row as unknown as { addresses: Address[] }).addresses.map(formatAddress);
}

describe('datastore/codec/pod', () => {
  const SHOWN: readonly (readonly [string, Parts, readonly string[]])[] = [
    ['25 the status list', { status: { podIPs: [{ ip: '10.1.0.5' }] } }, ['10.1.0.5']],
    [
      '28 the annotation of a pending pod',
      { status: { phase: 'Pending' }, annotations: { [POD_IPS]: '10.1.0.7/32,fd00::7/128' } },
      ['10.1.0.7', 'fd00::7'],
    ],
    [
      '30 the status of a terminating pod whose annotation was blanked',
      { metadata: DELETED, status: { podIP: '10.1.0.9' }, annotations: { [POD_IP]: '' } },
      ['10.1.0.9'],
    ],
    [
      '31 the status of a terminating pod',
      { metadata: DELETED, status: { podIP: '10.1.0.9' } },
      ['10.1.0.9'],
    ],
    [
      '32 the status beside a blank annotation',
      { status: { podIP: '10.1.0.9' }, annotations: { [POD_IP]: '' } },
      ['10.1.0.9'],
    ],
    [
      '33 status and annotation joined',
      { status: { podIP: '10.1.0.2' }, annotations: { [POD_IP]: '10.1.0.1' } },
      ['10.1.0.2', '10.1.0.1'],
    ],
    ['34 the address of a network', { annotations: { [POD_IP]: '10.1.0.77/26' } }, ['10.1.0.77']],
    [
      '35 the annotation of another plugin',
      { annotations: { [AWS_IPS]: '10.1.0.3' } },
      ['10.1.0.3'],
    ],
    [
      '37 both families in any spelling',
      { status: { phase: 'Unknown', podIPs: [{ ip: '10.1.0.10' }, { ip: 'FD00::A' }] } },
      ['10.1.0.10', 'fd00::a'],
    ],
    [
      '38 nothing of other networks',
      {
        status: { podIPs: [{ ip: '10.1.0.11' }] },
        annotations: { 'k8s.v1.cni.cncf.io/network-status': '[{"ips":["10.99.0.1"]}]' },
      },
      ['10.1.0.11'],
    ],
    [
      '39 a list with blanks',
      { annotations: { [POD_IPS]: '10.1.0.1, 10.1.0.2' } },
      ['10.1.0.1', '10.1.0.2'],
    ],
    [
      'each address once',
      {
        status: { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }, { ip: '::ffff:10.1.0.1' }] },
        annotations: { [POD_IPS]: '10.1.0.1/32', [POD_IP]: '10.1.0.1/32', [AWS_IPS]: '10.1.0.2' },
      },
      ['10.1.0.1', '10.1.0.2'],
    ],
    ['nothing', { status: { podIP: '', podIPs: [{}, { ip: null }] } }, []],
  ];
  for (const [title, parts, expected] of SHOWN) {
    it(`shows ${title}`, () => {
      expect(shownBy(parts)).to.deep.equal(expected);
    });
  }

  for (const phase of ['Succeeded', 'Failed', 'Completed']) {
    it(`29 is finished in phase ${phase}`, () => {
      expect(read({ status: { phase, podIP: '10.1.0.8' } })).to.include({ finished: true });
    });
  }

  for (const phase of ['Pending', 'Running', 'Unknown', 'succeeded', '']) {
    it(`is not finished in phase "${phase}"`, () => {
      expect(read({ status: { phase } })).to.include({ finished: false });
    });
  }

  it('26 tells the host network', () => {
    expect(read({ spec: { hostNetwork: true } })).to.include({ hostNetwork: true });
    expect(read({})).to.include({ hostNetwork: false });
  });

  it('27 has no node until it is scheduled', () => {
    expect(read({ spec: { nodeName: '' } })).to.include({ node: undefined });
    expect(read({})).to.include({ node: 'node-1' });
  });

  it('tells a terminating pod', () => {
    expect(read({ metadata: DELETED })).to.include({ terminating: true });
  });
});

describe('datastore/codec/pod, damage', () => {
  const DAMAGE: readonly (readonly [string, Parts])[] = [
    ['status.podIP "198.18.0.300" is no address', { status: { podIP: '198.18.0.300' } }],
    ['status.podIPs "10.0.0.01" is no address', { status: { podIPs: [{ ip: '10.0.0.01' }] } }],
    [`annotation ${POD_IPS} "x" is no address`, { annotations: { [POD_IPS]: '10.0.0.1,x' } }],
    [`annotation ${POD_IP} "5" is no address`, { annotations: { [POD_IP]: 5 } }],
    [`annotation ${AWS_IPS} "/" is no address`, { annotations: { [AWS_IPS]: '/' } }],
    ['status.podIPs {…} is no list', { status: { podIPs: {} } }],
    ['status.podIPs[0] "10.0.0.1" is no object', { status: { podIPs: ['10.0.0.1'] } }],
    ['status.podIP 5 is no text', { status: { podIP: 5 } }],
    ['status.phase 5 is no text', { status: { phase: 5 } }],
    ['spec.hostNetwork "true" is no boolean', { spec: { hostNetwork: 'true' } }],
    ['metadata.annotations […] is no object', { metadata: { annotations: [] } }],
  ];
  for (const [unreadable, parts] of DAMAGE) {
    it(`cannot read a pod where ${unreadable}, but knows its node`, () => {
      const key = { namespace: 'shop', name: 'cart-0' };
      expect(read(parts)).to.deep.include({ kind: 'Pod', key, unreadable, node: 'node-1' });
    });
  }

  const WITHOUT_WEIGHT: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['of a finished pod', {}, { phase: 'Failed' }],
    ['on the network of the host', { hostNetwork: true }, {}],
  ];
  for (const [title, spec, status] of WITHOUT_WEIGHT) {
    it(`reads past an odd address ${title}`, () => {
      const podIPs = [{ ip: 'odd' }, { ip: '10.1.0.1' }];
      expect(shownBy({ spec, status: { ...status, podIPs } })).to.deep.equal(['10.1.0.1']);
    });
  }

  it('cannot read an unscheduled pod with an odd address', () => {
    const row = read({ spec: { nodeName: '' }, status: { podIP: 'odd' } });
    expect(row).to.include({ unreadable: 'status.podIP "odd" is no address', node: undefined });
  });

  it('cannot read a pod that shows addresses and no node, and reads one that only was given annotations', () => {
    const status = { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] };
    const unreadable = 'spec.nodeName is missing, although status shows addresses';
    expect(read({ spec: { nodeName: null }, status })).to.include({ unreadable });
    expect(read({ spec: { nodeName: null }, status: {} })).not.to.have.property('unreadable');
  });

  it('cannot read a pod without namespace', () => {
    expect(read({ metadata: { namespace: '' } })).to.include({
      unreadable: 'metadata.namespace is missing',
    });
  });

  it('makes the same row from plain facts', () => {
    const head = { name: 'cart-0', namespace: 'shop', labels: {}, annotations: {} };
    const facts = { nodeName: 'node-1', hostNetwork: false, podIPs: ['10.1.0.1'] };
    expect(podRow(head, facts)).to.deep.include({ finished: false, node: 'node-1' });
  });
});
