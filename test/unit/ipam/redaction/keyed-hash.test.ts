import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { KeyedHash } from '../../../../src/ipam/redaction/keyed-hash.ts';

describe('ipam/redaction/keyed-hash', () => {
  for (const length of [1, 32, 64]) {
    it(`is the HMAC of Node under a key of ${length} bytes`, () => {
      const key = Buffer.alloc(length, 'a key of the tests');
      const hash = new KeyedHash(key);
      for (const text of ['', 'alder', 'ü'.repeat(100)]) {
        expect(hash.digest(text).toString('hex')).to.equal(
          createHmac('sha256', key).update(text).digest('hex'),
        );
      }
    });
  }
});
