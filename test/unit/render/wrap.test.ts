import { expect } from 'chai';
import { labelLines, wrapText } from '../../../src/render/wrap.ts';

describe('render/wrap', () => {
  it('hangs lines below the text, and less where that would take a quarter of the width', () => {
    const options = { first: '  Remedy: ' };
    expect(wrapText('one two three', { ...options, width: 40 })[0]).to.equal(
      '  Remedy: one two three',
    );
    expect(
      wrapText('one two three four five six seven eight', { ...options, width: 40 }),
    ).to.deep.equal(['  Remedy: one two three four five six', '          seven eight']);
    expect(wrapText('one two three', { ...options, width: 20 })).to.deep.equal([
      '  Remedy: one two',
      '    three',
    ]);
  });

  it('keeps a value as it is beside its label, and gives one that is too long a line of its own', () => {
    expect(labelLines('  a:  ', 'x  y', 20)).to.deep.equal(['  a:  x  y']);
    expect(labelLines('  a:  ', 'one two', 10)).to.deep.equal(['  a:  one', '    two']);
    expect(labelLines('  a:  ', 'a-very-long-name', 10)).to.deep.equal([
      '  a:',
      '    a-very-long-name',
    ]);
  });
});
