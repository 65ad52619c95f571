import { expect } from 'chai';
import { printable } from '../../../src/render/printable.ts';

describe('render/printable', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['leaves letters of every script', 'nœud-日本', 'nœud-日本'],
    ['spells line breaks', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['spells escape sequences', '\u001b[31mred', '\\x1b[31mred'],
    ['spells single-byte control sequences', '\u009b31m', '\\x9b31m'],
    ['spells backspaces and deletes', 'a\bb\u007f', 'a\\x08b\\x7f'],
    ['spells marks that turn the direction', 'a\u202eb', 'a\\u{202e}b'],
    ['spells invisible characters', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['spells line separators', 'a\u2028b', 'a\\u{2028}b'],
    ['spells lone surrogates', 'a\ud800', 'a\\u{d800}'],
  ];
  for (const [title, text, expected] of cases) {
    it(title, () => {
      expect(printable(text)).to.equal(expected);
    });
  }
});
