import { expect } from 'chai';
import fc from 'fast-check';
import { ProtobufList } from '../../../../src/datastore/kubernetes/protobuf-list.ts';
import { ProtobufReader } from '../../../../src/datastore/kubernetes/protobuf-reader.ts';
import { podRowFromProtobuf } from '../../../../src/datastore/kubernetes/protobuf-rows.ts';
import { listInProtobuf, message } from '../../../support/fake-api/protobuf-encoder.ts';

const pods = Array.from({ length: 40 }, (_, number) => ({
  metadata: { name: `pod-${number}`, namespace: 'default' },
  spec: { nodeName: 'n'.repeat(number * 7) },
}));

const BYTES = listInProtobuf('Pod', { resourceVersion: '4711', continue: 'token' }, pods);

const namesOf = (readers: readonly ProtobufReader[]): string[] =>
  readers.map((reader) => podRowFromProtobuf(reader).key.name);

describe('datastore/kubernetes/protobuf-list', () => {
  it('gives the same items wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(BYTES.length), { maxLength: 8 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), BYTES.length];
        const list = new ProtobufList();
        const names = places
          .slice(1)
          .flatMap((place, index) => namesOf(list.push([BYTES.subarray(places[index], place)])));
        expect(names).to.deep.equal(pods.map(({ metadata }) => metadata.name));
        expect(list.end()).to.deep.equal({ resourceVersion: '4711', continue: 'token' });
      }),
    );
  });

  it('never takes bytes that were cut short for a list', () => {
    for (let length = 0; length < BYTES.length; length++) {
      const list = new ProtobufList();
      list.push([BYTES.subarray(0, length)]);
      // The last two fields of the envelope are empty; without them everything is there all the same.
      if (length === BYTES.length - 2 || length === BYTES.length - 4) continue;
      expect(() => list.end(), `${length} of ${BYTES.length} bytes`).to.throw(RangeError);
    }
  });

  it('knows the metadata once they were read', () => {
    const list = new ProtobufList();
    list.push([BYTES.subarray(0, 60)]);
    expect(list.metadata?.resourceVersion).to.equal('4711');
  });

  it('refuses what is no protobuf of Kubernetes', () => {
    expect(() => new ProtobufList().push([Buffer.from('{"kind":"PodList"}')])).to.throw(
      RangeError,
      'no protobuf',
    );
  });

  it('refuses an item that reaches beyond its list', () => {
    const inner = Buffer.concat([message([1, message([2, '5'])]), Buffer.from([0x12, 0x40])]);
    const bytes = Buffer.concat([Buffer.from('k8s\0'), message([2, inner]), Buffer.alloc(80)]);
    expect(() => new ProtobufList().push([bytes])).to.throw(RangeError, 'beyond the end');
  });
});

describe('datastore/kubernetes/protobuf-reader', () => {
  it('passes over fields of every wire type', () => {
    const bytes = Buffer.concat([
      message([1, 300]),
      Buffer.from([0x11, ...new Array<number>(8).fill(1)]),
      Buffer.from([0x1d, 1, 1, 1, 1]),
      message([4, 'text'], [5, 'end']),
    ]);
    const reader = new ProtobufReader(bytes);
    const fields: number[] = [];
    while (reader.next()) {
      fields.push(reader.field);
      if (reader.field === 5) expect(reader.text()).to.equal('end');
      else reader.skip();
    }
    expect(fields).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('refuses a value that is cut, a field of another type, and groups', () => {
    const cut = new ProtobufReader(Buffer.from([0x0a, 5, 1]));
    cut.next();
    expect(() => cut.skip()).to.throw(RangeError, 'cut off');
    const number = new ProtobufReader(message([1, 5]));
    number.next();
    expect(() => number.text()).to.throw(RangeError, 'no bytes');
    const group = new ProtobufReader(Buffer.from([0x0b]));
    group.next();
    expect(() => group.skip()).to.throw(RangeError, 'wire type 3');
  });
});
