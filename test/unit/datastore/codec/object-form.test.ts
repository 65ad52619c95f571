import { expect } from 'chai';
import {
  objectKey,
  shownObject,
  storedKindOf,
  storedNames,
  storedObject,
} from '../../../../src/datastore/codec/object-form.ts';
import { objectEntryPath, parseObjectEntry } from '../../../../src/datastore/codec/object-entry.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';

const OLDER = 'crd.projectcalico.org/v1';
const NEWER = 'projectcalico.org/v3';

const policy = (name: string, spec: JsonObject = {}, copy?: string): JsonObject => ({
  apiVersion: OLDER,
  kind: 'GlobalNetworkPolicy',
  metadata: {
    name,
    ...(copy === undefined ? {} : { annotations: { 'projectcalico.org/metadata': copy } }),
  },
  spec,
});

const shownName = (stored: JsonObject): string =>
  objectKey('GlobalNetworkPolicy', shownObject('GlobalNetworkPolicy', stored)).name;

describe('datastore/codec/object-form', () => {
  it('knows the kinds that are rows, those that are objects, and neither', () => {
    expect(storedKindOf(OLDER, 'IPAMBlock')).to.equal('IPAMBlock');
    expect(storedKindOf(NEWER, 'IPAMConfiguration')).to.equal('IPAMConfig');
    expect(storedKindOf(OLDER, 'BGPPeer')).to.equal('BGPPeer');
    expect(storedKindOf(NEWER, 'NetworkPolicy')).to.equal('NetworkPolicy');
    expect(storedKindOf('networking.k8s.io/v1', 'NetworkPolicy')).to.equal(undefined);
    expect(storedKindOf(OLDER, 'Node')).to.equal(undefined);
    expect(storedKindOf(NEWER, 'Profile')).to.equal(undefined);
  });

  it('shows an object without the record of who wrote which field', () => {
    const stored = {
      apiVersion: NEWER,
      kind: 'Tier',
      metadata: { name: 'a', managedFields: [{ manager: 'kubectl' }] },
      spec: { order: 1 },
      unknown: true,
    };
    expect(shownObject('Tier', stored)).to.deep.equal({ ...stored, metadata: { name: 'a' } });
  });

  it('takes the default tier out of the name of a policy that has no copy of its name', () => {
    expect(shownName(policy('default.a'))).to.equal('a');
    expect(shownName(policy('default.a', { tier: '' }, '{}'))).to.equal('a');
    expect(shownName(policy('default.a', { tier: 'default' }))).to.equal('a');
    expect(shownName(policy('default.a', { tier: 'other' }))).to.equal('default.a');
    expect(shownName(policy('default.a', {}, '{"name":"default.a"}'))).to.equal('default.a');
    expect(shownName(policy('other.a'))).to.equal('other.a');
  });

  it('names the places where a policy may be stored', () => {
    expect(storedNames('NetworkPolicy', 'a')).to.deep.equal(['a', 'default.a']);
    expect(storedNames('Tier', 'a')).to.deep.equal(['a']);
  });

  it('stores an object in the group that is asked for', () => {
    const shown = {
      apiVersion: NEWER,
      kind: 'Tier',
      metadata: { name: 'a', labels: { l: '1' } },
      spec: { order: 1 },
    };
    expect(storedObject('Tier', shown, { flavor: 'v3' })).to.deep.equal(shown);
    expect(storedObject('Tier', shown, { flavor: 'crd' })).to.deep.equal({
      apiVersion: OLDER,
      kind: 'Tier',
      metadata: {
        name: 'a',
        annotations: { 'projectcalico.org/metadata': '{"labels":{"l":"1"}}' },
      },
      spec: { order: 1 },
    });
  });

  it('counts a namespace only where the kind has some', () => {
    const metadata = { name: 'a', namespace: 'shop' };
    expect(objectKey('NetworkSet', { metadata })).to.deep.equal({ name: 'a', namespace: 'shop' });
    expect(objectKey('Tier', { metadata })).to.deep.equal({ name: 'a' });
    expect(objectKey('Tier', {})).to.deep.equal({ name: '' });
  });
});

describe('datastore/codec/object-entry', () => {
  const ROOT = '/calico/resources/v3/projectcalico.org';

  it('names the keys of objects, and reads them', () => {
    for (const [kind, key, path] of [
      ['BGPPeer', { name: 'rack.1' }, `${ROOT}/bgppeers/rack.1`],
      ['NetworkSet', { namespace: 'shop', name: 'a' }, `${ROOT}/networksets/shop/a`],
      ['Tier', { name: 'a/b' }, `${ROOT}/tiers/a%2fb`],
    ] as const) {
      expect(objectEntryPath(kind, key)).to.equal(path);
      expect(parseObjectEntry(path)).to.deep.equal({ kind, key });
    }
  });

  it('reads no other keys', () => {
    for (const path of [
      '/calico/ipam/v2/config',
      `${ROOT}/profiles/kns.default`,
      `${ROOT}/tiers/a/b`,
      `${ROOT}/tiers/`,
      `${ROOT}/networksets/a`,
      `${ROOT}/networksets//a`,
    ]) {
      expect(parseObjectEntry(path), path).to.equal(undefined);
    }
  });
});
