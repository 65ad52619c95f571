import { expect } from 'chai';
import fc from 'fast-check';
import { foldMetadata, unfoldMetadata } from '../../src/datastore/codec/folded-metadata.ts';
import { nodeOfKubernetes, withNodeFields } from '../../src/datastore/codec/node-annotations.ts';
import { shownObject, storedObject } from '../../src/datastore/codec/object-form.ts';
import { OBJECT_KINDS, type ObjectKind } from '../../src/datastore/object-store.ts';
import type { JsonObject, JsonValue } from '../../src/ipam/model/resource.ts';
import { memberNames } from '../support/member-names.ts';

const COPY = 'projectcalico.org/metadata';

const anyName = fc.constantFrom(
  'a',
  'default.a',
  'x.y',
  'projectcalico.org/zone',
  'operator.tigera.io/z',
  '__proto__',
);
const anyTexts = fc.dictionary(memberNames(anyName), fc.string({ maxLength: 4 }), { maxKeys: 4 });
const someTexts = fc.option(
  anyTexts.filter((texts) => Object.keys(texts).length > 0),
  {
    nil: undefined,
  },
);

/** Metadata as they are shown. */
const shownMetadata = fc
  .record({
    name: anyName,
    labels: someTexts,
    annotations: someTexts,
    finalizers: fc.option(fc.uniqueArray(fc.constantFrom('f', 'g'), { minLength: 1 }), {
      nil: undefined,
    }),
    creationTimestamp: fc.option(fc.constant('2026-01-02T03:04:05Z'), { nil: undefined }),
  })
  .map(defined);

/** Metadata as the older group may store them: with and without a copy. */
const storedMetadata = fc
  .record({
    own: fc.record({ name: anyName, labels: someTexts, annotations: someTexts }),
    copy: fc.option(
      fc.record({
        name: fc.option(anyName, { nil: undefined }),
        labels: someTexts,
        annotations: someTexts,
        creationTimestamp: fc.constantFrom(null, '2025-01-01T00:00:00Z', undefined),
      }),
      { nil: undefined },
    ),
  })
  .map(({ own, copy }) => {
    const annotations = { ...own.annotations, ...(copy && { [COPY]: JSON.stringify(copy) }) };
    const isEmpty = Object.keys(annotations).length === 0;
    return defined({ ...own, annotations: isEmpty ? undefined : annotations });
  });

function defined(object: object): JsonObject {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries<JsonValue>(members as [string, JsonValue][]);
}

describe('objects as they are stored and shown', () => {
  it('metadata that were folded unfold to what they were', () => {
    fc.assert(
      fc.property(shownMetadata, fc.boolean(), (shown, keepsName) => {
        expect(unfoldMetadata(foldMetadata(shown, { keepsName }))).to.deep.equal(shown);
      }),
    );
  });

  it('stored metadata that are written as they are shown stay as they are shown', () => {
    fc.assert(
      fc.property(storedMetadata, (base) => {
        const shown = unfoldMetadata(base);
        const folded = foldMetadata(shown, { keepsName: true, base });
        expect(unfoldMetadata(folded)).to.deep.equal(shown);
        expect(folded['name']).to.equal(base['name']);
        // From then on a write that changes nothing is none.
        expect(
          foldMetadata(unfoldMetadata(folded), { keepsName: true, base: folded }),
        ).to.deep.equal(folded);
      }),
    );
  });

  it('a change of what is shown is what is shown afterwards', () => {
    fc.assert(
      fc.property(storedMetadata, someTexts, someTexts, (base, labels, annotations) => {
        const { labels: _l, annotations: _a, ...rest } = unfoldMetadata(base);
        const shown = defined({ ...rest, labels, annotations });
        const folded = foldMetadata(shown, { keepsName: true, base });
        expect(unfoldMetadata(folded)).to.deep.equal(shown);
      }),
    );
  });

  it('objects of every kind come back from either group', () => {
    const kinds = OBJECT_KINDS.filter((kind) => kind !== 'Node');
    const anyObject = fc.record({
      kind: fc.constantFrom<ObjectKind>(...kinds),
      metadata: shownMetadata.filter(({ name }) => name !== 'default.a'),
      spec: fc.dictionary(fc.constantFrom('x', 'tier'), fc.string({ maxLength: 3 })),
    });
    fc.assert(
      fc.property(anyObject, fc.constantFrom('crd' as const, 'v3' as const), (parts, flavor) => {
        const { kind, metadata, spec } = parts;
        const shown = { apiVersion: 'projectcalico.org/v3', kind, metadata, spec };
        expect(shownObject(kind, storedObject(kind, shown, { flavor }))).to.deep.equal(shown);
      }),
    );
  });

  it('fields that are set on a node are shown, and setting them again changes nothing', () => {
    const anyFields = fc
      .record({
        ipv4VXLANTunnelAddr: fc.constantFrom('198.18.0.1', '198.18.0.0/28', undefined),
        ipv6VXLANTunnelAddr: fc.constantFrom('2001:db8::1', undefined),
        vxlanTunnelMACAddr: fc.constantFrom('66:ab:cd:ef:01:02', undefined),
        bgp: fc.option(
          fc
            .record({
              asNumber: fc.nat(0xffff_ffff),
              ipv4IPIPTunnelAddr: fc.constantFrom('198.18.0.2', undefined),
            })
            .map(defined),
          { nil: undefined },
        ),
      })
      .map(defined);
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'alder' } };
    fc.assert(
      fc.property(anyFields, anyFields, (first, second) => {
        const once = withNodeFields(node, { spec: first });
        const twice = withNodeFields(once, { spec: second });
        const { bgp, ...others } = { ...first, ...second };
        const both = { ...(first['bgp'] as object), ...(second['bgp'] as object) };
        expect(nodeOfKubernetes(twice)['spec']).to.deep.include(others);
        if (bgp !== undefined) {
          expect(nodeOfKubernetes(twice)['spec']).to.have.property('bgp').that.deep.equals(both);
        }
        expect(withNodeFields(twice, { spec: second })).to.equal(twice);
      }),
    );
  });
});
