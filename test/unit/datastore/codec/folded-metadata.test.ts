import { expect } from 'chai';
import { foldMetadata, unfoldMetadata } from '../../../../src/datastore/codec/folded-metadata.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';

const COPY = 'projectcalico.org/metadata';

const copyIn = (metadata: JsonObject): unknown =>
  JSON.parse((metadata['annotations'] as Record<string, string>)[COPY] ?? 'null');

const withCopy = (copy: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'a',
  annotations: { [COPY]: JSON.stringify(copy) },
  ...more,
});

describe('datastore/codec/folded-metadata: reading', () => {
  it('lays labels and annotations of the copy over those of the object, and drops the copy', () => {
    const stored = {
      name: 'a',
      labels: { own: '1', both: 'own' },
      annotations: {
        kept: 'yes',
        [COPY]: '{"labels":{"both":"copy","copied":"2"},"annotations":{"note":"x"}}',
      },
    };
    expect(unfoldMetadata(stored)).to.deep.equal({
      name: 'a',
      labels: { own: '1', both: 'copy', copied: '2' },
      annotations: { kept: 'yes', note: 'x' },
    });
  });

  it('takes name and creation time of the copy, and those of the object where it has none', () => {
    const own = { name: 'default.a', creationTimestamp: '2026-01-01T00:00:00Z' };
    const copy = { name: 'a', creationTimestamp: '2025-01-01T00:00:00Z' };
    expect(unfoldMetadata(withCopy(copy, own))).to.deep.equal(copy);
    expect(unfoldMetadata(withCopy({ creationTimestamp: null }, own))).to.deep.equal(own);
  });

  it('keeps namespace, revision, uid and what the server says of the deletion', () => {
    const own = {
      name: 'a',
      namespace: 'shop',
      uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
      resourceVersion: '7',
      generation: 3,
      deletionTimestamp: '2026-01-01T00:00:00Z',
      finalizers: ['own'],
    };
    const copy = { namespace: 'x', uid: 'x', resourceVersion: 'x', finalizers: ['copied', 'own'] };
    expect(unfoldMetadata(withCopy(copy, own))).to.deep.equal({
      ...own,
      finalizers: ['own', 'copied'],
    });
  });

  it('shows owners of both groups as those of the newer one, with the uid that goes with it', () => {
    const ownerReferences = [
      {
        apiVersion: 'crd.projectcalico.org/v1',
        kind: 'Tier',
        name: 't',
        uid: '30316465-6365-4463-ad63-3564622d3638',
      },
      {
        apiVersion: 'projectcalico.org/v3',
        kind: 'Tier',
        name: 'u',
        uid: '41cb1fde-57e7-42c1-a73b-0acaf38c7737',
      },
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'x' },
    ];
    expect(unfoldMetadata(withCopy({ ownerReferences }))['ownerReferences']).to.deep.equal([
      {
        apiVersion: 'projectcalico.org/v3',
        kind: 'Tier',
        name: 't',
        uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
      },
      {
        apiVersion: 'projectcalico.org/v3',
        kind: 'Tier',
        name: 'u',
        uid: '82d3f87b-eae7-4283-a7dc-5053cf31eeec',
      },
      ownerReferences[2],
    ]);
  });

  it('leaves metadata without a copy, or with one that is no JSON object, as they are', () => {
    for (const annotations of [{}, { note: 'x' }, { [COPY]: 'no JSON' }, { [COPY]: '[]' }]) {
      const own = { name: 'a', labels: { l: '1' }, annotations };
      expect(unfoldMetadata(own)).to.deep.equal(own);
    }
  });
});

describe('datastore/codec/folded-metadata: writing', () => {
  it("keeps Calico's own labels and annotations on the object and puts all into the copy, in Go's order", () => {
    const shown = {
      name: 'a',
      namespace: 'shop',
      annotations: { z: '1', 'operator.tigera.io/x': '2' },
      labels: { b: '1', 'x.projectcalico.org/zone': '2', a: '3' },
    };
    expect(foldMetadata(shown, { keepsName: false })).to.deep.equal({
      name: 'a',
      namespace: 'shop',
      labels: { 'x.projectcalico.org/zone': '2' },
      annotations: {
        'operator.tigera.io/x': '2',
        [COPY]:
          '{"labels":{"a":"3","b":"1","x.projectcalico.org/zone":"2"},"annotations":{"operator.tigera.io/x":"2","z":"1"}}',
      },
    });
  });

  it('notes the name of policies, and gives an empty object an empty copy', () => {
    expect(copyIn(foldMetadata({ name: 'a' }, { keepsName: true }))).to.deep.equal({ name: 'a' });
    expect(copyIn(foldMetadata({ name: 'a' }, { keepsName: false }))).to.deep.equal({});
  });

  it('keeps the stored name of an object that is shown under another one', () => {
    const base = withCopy({ name: 'a' }, { name: 'default.a' });
    expect(foldMetadata(unfoldMetadata(base), { keepsName: true, base })).to.deep.equal(base);
  });

  it('stores owners of the newer group as those of the older one', () => {
    const owner = { apiVersion: 'projectcalico.org/v3', kind: 'Tier', name: 't' };
    const shown = {
      name: 'a',
      ownerReferences: [{ ...owner, uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c' }],
    };
    expect(copyIn(foldMetadata(shown, { keepsName: false }))).to.deep.equal({
      ownerReferences: [
        {
          ...owner,
          apiVersion: 'crd.projectcalico.org/v1',
          uid: '30316465-6365-4463-ad63-3564622d3638',
        },
      ],
    });
  });

  it('gives no copy to an object that had none', () => {
    const base = { name: 'a', labels: { own: '1' }, annotations: { note: 'x' } };
    const shown = { ...base, labels: { own: '2', more: '3' } };
    expect(foldMetadata(shown, { keepsName: false, base })).to.deep.equal(shown);
  });

  it('keeps labels, annotations and finalizers on the object that kubectl put there', () => {
    const base = withCopy({ labels: { l: '1' } }, { labels: { k: '2' }, finalizers: ['f'] });
    const shown = { ...unfoldMetadata(base), labels: { k: '3', l: '1' } };
    const folded = foldMetadata(shown, { keepsName: false, base });
    expect(folded).to.deep.include({ labels: { k: '3' }, finalizers: ['f'] });
    expect(copyIn(folded)).to.deep.equal({ labels: { l: '1' } });
  });

  it('takes away what is no longer shown, wherever it stood', () => {
    const base = withCopy({ labels: { l: '1' } }, { labels: { k: '2' }, finalizers: ['f'] });
    expect(foldMetadata({ name: 'a' }, { keepsName: false, base })).to.deep.equal(withCopy({}));
  });
});
