import { expect } from 'chai';
import { type Labels, selects } from '../../../../src/ipam/selector/evaluate.ts';
import { parseSelector } from '../../../../src/ipam/selector/parse.ts';

type Case = readonly [text: string, labels: Labels, answer: boolean];

const ANSWERS: readonly Case[] = [
  ['a != "x"', {}, true],
  ['a not in {"x"}', {}, true],
  ['! a == "x"', {}, true],
  [`zone == 'a' || zone == 'b' && rack == 'r1'`, { zone: 'a' }, true],
  [`(zone == 'a' || zone == 'b') && rack == 'r1'`, { zone: 'a' }, false],
  ['a in {"x",}', { a: 'x' }, true],
  ['in in {"in"}', { in: 'in' }, true],
  ['!!has(a)', { a: '' }, true],
  ['', {}, true],
  [' \t', {}, true],
  ['all()', {}, true],
  ['global( )', {}, true],
  ['!all()', {}, false],
  ['has( a )', { a: '1' }, true],
  ['has(a)', {}, false],
  ['has == "1"', { has: '1' }, true],
  ['a == "x"', {}, false],
  ['a == "X"', { a: 'x' }, false],
  ['a contains ""', { a: 'x' }, true],
  ['a contains ""', {}, false],
  ['a contains"v"', { a: 'avb' }, true],
  ['a startswith "x"', { a: 'xy' }, true],
  ['a starts \t with "y"', { a: 'xy' }, false],
  ['a ends with "y"', { a: 'xy' }, true],
  ['a endswith "x"', { a: 'xy' }, false],
  ['a in{"x","y"}', { a: 'y' }, true],
  ['a in {}', { a: 'x' }, false],
  ['a not  in {}', { a: 'x' }, true],
  ['a notin {"x"}', { a: 'x' }, false],
  ['a!="x"', { a: 'x' }, false],
  [`a == "it's"`, { a: "it's" }, true],
  ['kubernetes.io/os == "linux" && !has(b)', { 'kubernetes.io/os': 'linux' }, true],
  ['!a == "x" && b == "y"', { a: 'z', b: 'y' }, true],
  ['!(a == "x" || b == "y")', { b: 'y' }, false],
  ['contains contains "a"', { contains: 'bab' }, true],
  ['constructor == "x" || has(toString)', {}, false],
];

const WRONG: readonly string[] = [
  'a in {,}',
  'has (a)',
  'all ()',
  'a == "1"\n&& b == "2"',
  'a = "1"',
  'a == b',
  'a inx {"1"}',
  'a',
  'a == "1" b',
  'a == "1" & b == "2"',
  'a == "1" | b == "2"',
  'a == "1" &&',
  '|| a == "1"',
  '(a == "1"',
  'a == "1")',
  'a == "1',
  'a in "1"',
  'a in {"1" "2"}',
  'a == {"1"}',
  'has()',
  '!',
  `${'x'.repeat(513)} == "1"`,
  'ä == "1"',
];

describe('ipam/selector', () => {
  for (const [text, labels, answer] of ANSWERS) {
    it(`answers ${answer} for \`${text}\` on ${JSON.stringify(labels)}`, () => {
      expect(selects(text, labels)).to.equal(answer);
    });
  }

  for (const text of WRONG) {
    it(`refuses \`${text.slice(0, 40)}\``, () => {
      expect(parseSelector(text)).to.have.property('problem').that.is.a('string');
      expect(selects(text, {})).to.equal(undefined);
    });
  }

  it('accepts a label of 512 characters', () => {
    const label = 'x'.repeat(512);
    expect(selects(`has(${label})`, { [label]: '' })).to.equal(true);
  });

  it('names the position of the first problem', () => {
    expect(parseSelector('a == b')).to.deep.equal({
      problem: 'at position 6 a text in quotes is expected',
    });
  });

  it('refuses nesting that would exhaust the stack', () => {
    const text = `${'('.repeat(100_000)}all()${')'.repeat(100_000)}`;
    expect(parseSelector(text)).to.have.property('problem');
  });
});
