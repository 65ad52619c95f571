import { expect } from 'chai';
import { parseNameMap } from '../../../src/cli/name-map.ts';

async function statusOf(work: () => unknown): Promise<number | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return (error as { readonly status: number }).status;
  }
}

describe('cli/name-map', () => {
  for (const [what, text] of [
    ['YAML', '# names\na: b\n"1": c.example\r\n'],
    ['JSON', '{"a": "b", "1": "c.example"}'],
    ['JSON behind a byte order mark', '\ufeff{"a": "b", "1": "c.example"}'],
  ] as const)
    it(`reads ${what}`, async () => {
      expect(await parseNameMap(text, 'map')).to.deep.equal([
        ['a', 'b'],
        ['1', 'c.example'],
      ]);
    });

  for (const [status, what, text] of [
    [9, 'what is no YAML', 'a: [b'],
    [9, 'JSON that ends early', '{"a": "b"'],
    [9, 'several documents', 'a: b\n---\nc: d\n'],
    [2, 'an empty file', ''],
    [2, 'a list', '[a, b]'],
    [2, 'a number for a name', 'a: 1'],
    [2, 'a number that is renamed', '1: a'],
    [2, 'nothing for a name', 'a:'],
    [2, 'a word that YAML reads as a truth value', 'a: true'],
    [2, 'a nested object', 'a: {b: c}'],
    [2, 'a name twice in YAML', 'a: b\na: c'],
    [2, 'a name twice in JSON', '{"a": "b", "a": "b"}'],
  ] as const)
    it(`ends with ${status} for ${what}`, async () => {
      expect(await statusOf(() => parseNameMap(text, 'map'))).to.equal(status);
    });
});
