import { expect } from 'chai';
import {
  decodeAuthenticate,
  decodeRange,
  decodeTxn,
  encodeAuthenticate,
  encodeConditionalWrite,
  encodeRange,
  keyAfter,
  prefixEnd,
} from '../../../../src/datastore/etcd/messages.ts';
import { MessageWriter } from '../../../../src/datastore/etcd/wire.ts';

function header(revision: bigint): MessageWriter {
  return new MessageWriter().integer(1, 7n).integer(2, 8n).integer(3, revision).integer(4, 2n);
}

function keyValue(key: Buffer | string, value: Buffer | string): MessageWriter {
  return new MessageWriter()
    .bytes(1, key)
    .integer(2, 3n)
    .integer(3, 5n)
    .integer(4, 2n)
    .bytes(5, value);
}

describe('datastore/etcd/messages', () => {
  for (const [title, bytes, hex] of [
    ['a read of one key', encodeRange({ key: 'a' }), '0a0161'],
    [
      'a page as of a revision',
      encodeRange({ key: 'a/', end: Buffer.from('a0'), limit: 500, revision: 300n }),
      '0a02612f1202613018f40320ac02',
    ],
    [
      'the making of a key: version 0, put, else read',
      encodeConditionalWrite({ key: 'k', value: 'v', modRevision: 0n }),
      '0a031a016b' + '120812060a016b120176' + '1a050a030a016b',
    ],
    [
      'a replacement: mod revision 9, put with its lease, else read',
      encodeConditionalWrite({ key: 'k', value: 'v', modRevision: 9n }),
      '0a0710021a016b3009' + '120a12080a016b1201763001' + '1a050a030a016b',
    ],
    [
      'a deletion: mod revision 9, delete, else read',
      encodeConditionalWrite({ key: 'k', modRevision: 9n }),
      '0a0710021a016b3009' + '12051a030a016b' + '1a050a030a016b',
    ],
    ['a sign-in', encodeAuthenticate('u', 'p'), '0a0175120170'],
  ] as const) {
    it(`encodes ${title}`, () => {
      expect(bytes.toString('hex')).to.equal(hex);
    });
  }

  it('decodes a page', () => {
    const message = new MessageWriter()
      .message(1, header(77n))
      .message(2, keyValue('a', '{}'))
      .message(2, keyValue('b', ''))
      .flag(3, true)
      .integer(4, 9n)
      .bytes(99, 'unknown');
    expect(decodeRange(message.finish())).to.deep.equal({
      revision: 77n,
      more: true,
      lastKey: Buffer.from('b'),
      entries: [
        { key: 'a', value: '{}', modRevision: 5n, createRevision: 3n },
        { key: 'b', value: '', modRevision: 5n, createRevision: 3n },
      ],
    });
  });

  it('decodes a page without entries', () => {
    const message = new MessageWriter().message(1, header(77n)).finish();
    expect(decodeRange(message)).to.deep.equal({
      ...{ revision: 77n, more: false, lastKey: undefined, entries: [] },
    });
  });

  it('gives no value where value or key is no UTF-8, and keeps the key for the next page', () => {
    const odd = Buffer.from([0x61, 0xff]);
    const message = new MessageWriter()
      .message(2, keyValue('a', Buffer.from([0x80])))
      .message(2, keyValue(odd, '{}'));
    const { entries, lastKey } = decodeRange(message.finish());
    expect(entries.map(({ key, value }) => ({ key, value }))).to.deep.equal([
      { key: 'a', value: undefined },
      { key: 'a\uFFFD', value: undefined },
    ]);
    expect(lastKey).to.deep.equal(odd);
  });

  it('decodes a write that was done', () => {
    const put = new MessageWriter().message(2, new MessageWriter().message(1, header(78n)));
    const message = new MessageWriter().message(1, header(78n)).flag(2, true).message(3, put);
    expect(decodeTxn(message.finish())).to.deep.equal({
      ...{ revision: 78n, succeeded: true, current: undefined },
    });
  });

  it('decodes a write that was not done, with what is there', () => {
    const range = new MessageWriter().message(2, keyValue('k', 'v'));
    const message = new MessageWriter()
      .message(1, header(78n))
      .message(3, new MessageWriter().message(1, range));
    const current = { key: 'k', value: 'v', modRevision: 5n, createRevision: 3n };
    expect(decodeTxn(message.finish())).to.deep.equal({ revision: 78n, succeeded: false, current });
  });

  it('decodes a token', () => {
    const message = new MessageWriter().message(1, header(1n)).bytes(2, 'token.1').finish();
    expect(decodeAuthenticate(message)).to.equal('token.1');
  });

  it('ends a prefix with the least key beyond it', () => {
    expect(prefixEnd('/calico/')).to.deep.equal(Buffer.from('/calico0'));
    expect(prefixEnd('a\u007F')).to.deep.equal(Buffer.from([0x61, 0x80]));
    expect(prefixEnd('')).to.deep.equal(Buffer.from([0]));
  });

  it('goes on from a key with the least one after it', () => {
    expect(keyAfter(Buffer.from('a'))).to.deep.equal(Buffer.from('a\0'));
  });
});
