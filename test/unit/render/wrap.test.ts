import { expect } from 'chai';
import { commandLines, labelLines, wrapText } from '../../../src/render/wrap.ts';

const surface = (width: number, program = 'ipamctl') => ({ width, program });

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

  it('keeps what stands in backticks on a line, if one can hold it', () => {
    const text = 'Release it with `ipamctl release --leaked` (or by `name`).';
    expect(wrapText(text, { width: 32 })).to.deep.equal([
      'Release it with',
      '`ipamctl release --leaked` (or',
      'by `name`).',
    ]);
    expect(wrapText(text, { width: 20 })).to.deep.equal([
      'Release it with',
      '`ipamctl release',
      '--leaked` (or by',
      '`name`).',
    ]);
    expect(wrapText('one ` two three', { width: 12 })).to.deep.equal(['one ` two', 'three']);
  });

  it('never breaks a command', () => {
    expect(commandLines('Undo:', 'ipamctl ipam restore f', surface(28))).to.deep.equal([
      'Undo: ipamctl ipam restore f',
    ]);
    expect(commandLines('Undo it all:', 'ipamctl ipam restore f', surface(20))).to.deep.equal([
      'Undo it all:',
      '  ipamctl ipam restore f',
    ]);
    expect(
      commandLines('Undo:', 'ipamctl ipam restore f', surface(28, 'kubectl ipamctl')),
    ).to.deep.equal(['Undo:', '  kubectl ipamctl ipam restore f']);
  });
});
