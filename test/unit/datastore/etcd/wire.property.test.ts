import { expect } from 'chai';
import fc from 'fast-check';
import { type FieldValue, MessageWriter, readFields } from '../../../../src/datastore/etcd/wire.ts';

const INT64 = fc.bigInt({ min: 0n, max: 0x7fff_ffff_ffff_ffffn });
const FIELD = fc.integer({ min: 1, max: 2 ** 29 - 1 });

function fieldsOf(message: Buffer): FieldValue[] {
  return [...readFields(message)];
}

describe('datastore/etcd/wire', () => {
  it('reads back every integer and every run of bytes that it writes', () => {
    const item = fc.oneof(
      fc.record({ field: FIELD, integer: INT64 }),
      fc.record({ field: FIELD, bytes: fc.uint8Array({ maxLength: 300 }) }),
    );
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const writer = new MessageWriter();
        for (const part of items) {
          if ('integer' in part) writer.integer(part.field, part.integer);
          else writer.bytes(part.field, Buffer.from(part.bytes));
        }
        const written = items.filter((part) =>
          'integer' in part ? part.integer !== 0n : part.bytes.length > 0,
        );
        expect(
          fieldsOf(writer.finish()).map(({ field, integer, bytes }) => ({
            ...{ field, integer, bytes: [...bytes] },
          })),
        ).to.deep.equal(
          written.map((part) => ({
            field: part.field,
            integer: 'integer' in part ? part.integer : 0n,
            bytes: 'bytes' in part ? [...part.bytes] : [],
          })),
        );
      }),
    );
  });

  it('gives fields or a RangeError for any bytes, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          fieldsOf(Buffer.from(bytes));
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError);
        }
      }),
    );
  });

  it('says that a message is cut off wherever it is cut inside of a field', () => {
    const message = new MessageWriter().integer(1, 300n).bytes(2, 'abc').finish();
    const whole = [0, 3, message.length];
    for (let end = 0; end <= message.length; end++) {
      const read = (): unknown => fieldsOf(message.subarray(0, end));
      if (whole.includes(end)) expect(read, String(end)).not.to.throw();
      else expect(read, String(end)).to.throw(RangeError);
    }
  });

  for (const [title, message, hex] of [
    ['150', new MessageWriter().integer(1, 150n), '089601'],
    ['a text', new MessageWriter().bytes(2, 'testing'), '120774657374696e67'],
    ['true', new MessageWriter().flag(3, true), '1801'],
    [
      'a message inside',
      new MessageWriter().message(3, new MessageWriter().integer(1, 150n)),
      '1a03089601',
    ],
    ['an empty message inside', new MessageWriter().message(3, new MessageWriter()), '1a00'],
    ['defaults', new MessageWriter().integer(1, 0n).bytes(2, '').flag(3, false), ''],
    ['the largest integer', new MessageWriter().integer(1, 2n ** 63n - 1n), '08ffffffffffffffff7f'],
  ] as const) {
    it(`writes ${title} as protocol buffers have it`, () => {
      expect(message.finish().toString('hex')).to.equal(hex);
    });
  }

  it('reads integers of all widths', () => {
    const bytes = Buffer.from(
      '08ffffffffffffffffff01110100000000000080150000008018ffffffff0f',
      'hex',
    );
    expect(fieldsOf(bytes).map(({ integer }) => integer)).to.deep.equal([
      0xffff_ffff_ffff_ffffn,
      0x8000_0000_0000_0001n,
      0x8000_0000n,
      0xffff_ffffn,
    ]);
  });

  for (const [title, hex] of [
    ['an integer of more than 64 bits', '08ffffffffffffffffffff01'],
    ['a group', '0b'],
    ['a field without number', '0001'],
  ] as const) {
    it(`refuses ${title}`, () => {
      expect(() => fieldsOf(Buffer.from(hex, 'hex'))).to.throw(RangeError);
    });
  }

  it('refuses to write what is no positive 64-bit integer', () => {
    for (const value of [-1n, 2n ** 63n]) {
      expect(() => new MessageWriter().integer(1, value)).to.throw(RangeError);
    }
  });
});
