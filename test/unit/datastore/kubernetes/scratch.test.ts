import { expect } from 'chai';
import { Scratch } from '../../../../src/datastore/kubernetes/scratch.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('datastore/kubernetes/scratch', () => {
  let scratch: Scratch;

  beforeEach(() => {
    scratch = new Scratch();
  });

  const append = (...texts: string[]): string =>
    scratch.append(texts.map(bytes)).toString('latin1');

  it('puts pieces together behind what was kept', () => {
    expect(append('ab', 'cd')).to.equal('abcd');
    scratch.keepFrom(3);
    expect(scratch.kept).to.equal(1);
    expect(append('ef', 'gh')).to.equal('defgh');
    scratch.keepFrom(5);
    expect(append('ij')).to.equal('ij');
  });

  it('keeps everything unless told otherwise', () => {
    append('ab', 'c');
    expect(append('d')).to.equal('abcd');
  });

  it('does not copy a piece that stands alone', () => {
    const page = bytes('a whole page');
    expect(scratch.append([page])).to.equal(page);
    scratch.keepFrom(8);
    expect(append('s')).to.equal('pages');
    expect(page.toString('latin1')).to.equal('a whole page');
  });

  it('keeps what is larger than its room', () => {
    const large = 'x'.repeat(700_000);
    append('a', large);
    scratch.keepFrom(1);
    expect(append(large, 'z')).to.equal(`${large}${large}z`);
    scratch.keepFrom(700_000);
    const text = append(large, large);
    expect([text.length, text.indexOf('z')]).to.deep.equal([2_100_001, 700_000]);
  });

  it('uses the same memory again', () => {
    const first = scratch.append([bytes('a'), bytes('b')]);
    scratch.keepFrom(2);
    const second = scratch.append([bytes('c'), bytes('d')]);
    expect(second.buffer).to.equal(first.buffer);
    expect(first.toString('latin1')).to.equal('cd');
  });
});
