import { expect } from 'chai';
import { readHead, rowHead } from '../../../../src/datastore/codec/object-head.ts';
import { NEWER, anObject } from '../../../support/stored-objects.ts';

const COPY = 'projectcalico.org/metadata';

describe('datastore/codec/object-head', () => {
  it('reads name, uid, revision and creation time', () => {
    expect(rowHead(readHead(anObject({})))).to.deep.equal({
      key: { name: 'thing' },
      uid: '0c8c26a6-c6a6-44c6-adc6-ac2646b46c1c',
      revision: '4711',
      createdAt: Date.UTC(2026, 10, 29, 9),
      terminating: false,
    });
  });

  it('puts the namespace into the key of a namespaced object', () => {
    const head = readHead(anObject({ metadata: { namespace: 'shop' } }));
    expect(rowHead(head).key).to.deep.equal({ namespace: 'shop', name: 'thing' });
  });

  it('lays the copied labels and annotations of the older group over its own', () => {
    const copy = '{"labels":{"a":"copy","c":"copy"},"annotations":{"x":"copy"}}';
    const head = readHead(
      anObject({ metadata: { labels: { a: 'own', b: 'own' }, annotations: { [COPY]: copy } } }),
    );
    expect(head.labels).to.deep.equal({ a: 'copy', b: 'own', c: 'copy' });
    expect(head.annotations['x']).to.equal('copy');
  });

  const TIMES = [
    ['C1 the copy has one', '{"creationTimestamp":"2026-01-02T03:04:05Z"}', '2026-01-02T03:04:05Z'],
    ['C2 the copy says null', '{"creationTimestamp":null}', '2026-11-29T09:00:00Z'],
    ['C3 the copy is empty', '{}', '2026-11-29T09:00:00Z'],
    ['C4 the copy is no JSON', '{"creationTimestamp":', '2026-11-29T09:00:00Z'],
    ['C5 the copy is no object', '[]', '2026-11-29T09:00:00Z'],
  ] as const;
  for (const [title, copy, expected] of TIMES) {
    it(`takes the creation time that holds when ${title}`, () => {
      const head = readHead(anObject({ metadata: { annotations: { [COPY]: copy } } }));
      expect(head.creationTimestamp).to.equal(expected);
    });
  }

  it('leaves the copy alone in the newer group', () => {
    const annotations = { [COPY]: '{"labels":{"a":"copy"}}' };
    const head = readHead(anObject({ apiVersion: NEWER, metadata: { annotations } }));
    expect(head.labels).to.deep.equal({});
  });

  it('keeps the deletion mark beside a copy', () => {
    const annotations = { [COPY]: '{"labels":{"a":"b"}}' };
    const metadata = { annotations, deletionTimestamp: '2026-11-29T10:00:00Z' };
    expect(rowHead(readHead(anObject({ metadata }))).terminating).to.equal(true);
  });

  it('takes a deletion mark that is no time for a mark', () => {
    expect(
      readHead(anObject({ metadata: { deletionTimestamp: true } })).deletionTimestamp,
    ).to.equal('true');
  });

  it('reads a creation time that is no time as absent', () => {
    const head = readHead(anObject({ metadata: { creationTimestamp: 'yesterday' } }));
    expect(rowHead(head).createdAt).to.equal(undefined);
  });

  it('keeps values that are no texts as what they look like', () => {
    const labels = { a: 5, b: null, c: { d: 1 }, e: 'f' };
    expect(readHead(anObject({ metadata: { labels } })).labels).to.deep.equal({
      a: '5',
      b: '',
      c: '{…}',
      e: 'f',
    });
  });

  it('names annotations that are no map', () => {
    const head = readHead(anObject({ metadata: { annotations: ['x'] } }));
    expect(head.damage).to.equal('metadata.annotations […] is no object');
    expect(head.annotations).to.deep.equal({});
  });

  it('has no name when the metadata is no object', () => {
    const head = readHead({ metadata: 'x' });
    expect(head).to.include({ name: '', damage: 'metadata "x" is no object' });
  });
});
