import { expect } from 'chai';
import {
  chainsOf,
  hashOfMap,
  isLinked,
  legsOf,
  temporaryName,
} from '../../../../src/ipam/rename/legs.ts';

const TMP = 'aside';

/** Maps with the legs that they are done in. */
const CASES: readonly {
  readonly what: string;
  readonly map: Readonly<Record<string, string>>;
  readonly legs: readonly Readonly<Record<string, string>>[];
}[] = [
  { what: 'one node', map: { a: 'b' }, legs: [{ a: 'b' }] },
  { what: 'nodes by themselves, together', map: { b: 'y', a: 'x' }, legs: [{ a: 'x', b: 'y' }] },
  { what: 'a chain, its end first', map: { a: 'b', b: 'c' }, legs: [{ b: 'c' }, { a: 'b' }] },
  {
    what: 'a chain of three beside a node',
    map: { c: 'd', a: 'b', q: 'z', b: 'c' },
    legs: [{ c: 'd', q: 'z' }, { b: 'c' }, { a: 'b' }],
  },
  { what: 'a swap', map: { a: 'b', b: 'a' }, legs: [{ a: TMP }, { b: 'a' }, { [TMP]: 'b' }] },
  {
    what: 'a cycle of three',
    map: { a: 'b', b: 'c', c: 'a' },
    legs: [{ a: TMP }, { c: 'a' }, { b: 'c' }, { [TMP]: 'b' }],
  },
  {
    what: 'a chain, a cycle and another one, cycles last and one by one',
    map: { y: 'x', x: 'y', a: 'b', b: 'c', p: 'q', q: 'p' },
    legs: [
      { b: 'c' },
      { a: 'b' },
      { p: TMP },
      { q: 'p' },
      { [TMP]: 'q' },
      { x: TMP },
      { y: 'x' },
      { [TMP]: 'y' },
    ],
  },
];

const asMap = (pairs: Readonly<Record<string, string>>) => new Map(Object.entries(pairs));

describe('ipam/rename/legs', () => {
  for (const { what, map, legs } of CASES) {
    it(`does ${what}`, () => {
      const found = legsOf(asMap(map), TMP).map((leg) => Object.fromEntries(leg));
      expect(found).to.deep.equal(legs);
      const reversed = new Map([...asMap(map)].reverse());
      expect(legsOf(reversed, TMP).map((leg) => Object.fromEntries(leg))).to.deep.equal(legs);
    });

    it(`ends with the names of ${what} where the map wants them, and never gives one away twice`, () => {
      const holders = new Map(Object.keys(map).map((name) => [name, name]));
      for (const leg of legsOf(asMap(map), TMP)) {
        const moved = [...leg].map(([from, to]) => {
          const holder = holders.get(from);
          holders.delete(from);
          return [to, holder] as const;
        });
        for (const [to, holder] of moved) {
          expect(holders.has(to), `${to} is taken`).to.equal(false);
          if (holder !== undefined) holders.set(to, holder);
        }
      }
      const wanted = Object.entries(map).map(([from, to]) => [to, from]);
      expect(Object.fromEntries(holders)).to.deep.equal(Object.fromEntries(wanted));
    });
  }

  it('knows what belongs together', () => {
    const map = asMap({ a: 'b', b: 'c', x: 'y', p: 'q', q: 'p' });
    expect(chainsOf(map)).to.deep.equal([
      { names: ['a', 'b'], end: 'c', isCycle: false },
      { names: ['x'], end: 'y', isCycle: false },
      { names: ['p', 'q'], end: 'p', isCycle: true },
    ]);
    expect([...map.keys()].filter((name) => isLinked(name, map))).to.deep.equal([
      'a',
      'b',
      'p',
      'q',
    ]);
  });

  it('gives one map one hash whatever its order, and another one another', () => {
    const hash = hashOfMap(asMap({ a: 'b', c: 'd' }));
    expect(hash).to.match(/^[0-9a-f]{64}$/);
    expect(hashOfMap(asMap({ c: 'd', a: 'b' }))).to.equal(hash);
    expect(hashOfMap(asMap({ a: 'd', c: 'b' }))).to.not.equal(hash);
    expect(temporaryName(asMap({ a: 'b', c: 'd' }))).to.match(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  });
});
