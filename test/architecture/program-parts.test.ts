import { expect } from 'chai';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/source-files.ts';

interface Part {
  readonly name: string;
  readonly on?: string;
  readonly opened?: readonly string[];
  readonly roots: readonly string[];
}
interface ProgramParts {
  readonly placeModules: (
    graph: ReadonlyMap<string, readonly string[]>,
    parts: readonly Part[],
  ) => {
    readonly places: ReadonlyMap<string, string>;
    readonly shared: ReadonlyMap<string, readonly string[]>;
  };
  readonly assertApart: (inputs: Readonly<Record<string, readonly string[]>>) => void;
}
const { assertApart, placeModules } = (await import(
  pathToFileURL(join(ROOT, 'scripts', 'program-parts.mjs')).href
)) as ProgramParts;

const PARTS: readonly Part[] = [
  { name: 'cli', roots: ['main.ts', 'show.ts'] },
  { name: 'check', on: 'cli', roots: ['check.ts'] },
  { name: 'commands', on: 'check', roots: ['release.ts'] },
  { name: 'etcd', on: 'cli', roots: ['etcd.ts'], opened: ['etcd.ts'] },
];

describe('scripts/program-parts', () => {
  /** Where a module is that the parts with these roots import. */
  function place(...importers: readonly string[]) {
    const roots = PARTS.flatMap((part) => part.roots);
    const graph = new Map<string, readonly string[]>([
      ...roots.map((root) => [root, importers.includes(root) ? ['one.ts'] : []] as const),
      ['one.ts', ['two.ts']],
      ['two.ts', []],
    ]);
    const { places, shared } = placeModules(graph, PARTS);
    expect(places.get('two.ts'), 'what it imports').to.equal(places.get('one.ts'));
    const sharing = [...shared].filter(([, paths]) => paths.includes('one.ts'));
    return { place: places.get('one.ts'), isShared: sharing.length > 0 };
  }

  it('puts a module into the part that uses it', () => {
    for (const [root, name] of [
      ['show.ts', 'cli'],
      ['check.ts', 'check'],
      ['release.ts', 'commands'],
      ['etcd.ts', 'etcd'],
    ] as const)
      expect(place(root)).to.deep.equal({ place: name, isShared: false });
    expect(place()).to.deep.equal({ place: undefined, isShared: false });
  });

  it('puts a module of several parts into the nearest one that all of them are on', () => {
    expect(place('check.ts', 'release.ts')).to.deep.equal({ place: 'check', isShared: true });
    for (const importers of [
      ['main.ts', 'release.ts'],
      ['check.ts', 'etcd.ts'],
      ['release.ts', 'etcd.ts'],
      ['show.ts', 'check.ts', 'release.ts', 'etcd.ts'],
    ])
      expect(place(...importers)).to.deep.equal({ place: 'cli', isShared: true });
  });

  it('leaves what is opened later in its part, whoever imports it', () => {
    const graph = new Map([
      ['main.ts', ['etcd.ts']],
      ['etcd.ts', ['stamps.ts']],
    ]);
    const { places, shared } = placeModules(graph, PARTS);
    expect(Object.fromEntries(places)).to.include({ 'main.ts': 'cli', 'etcd.ts': 'etcd' });
    expect([...shared.values()].flat()).to.deep.equal([]);
  });

  it('lets no module be in two parts, where its classes would be two', () => {
    const inputs = {
      cli: ['entry.ts', 'src/cli/main.ts', 'src/errors/usage-error.ts'],
      commands: ['entry.ts', 'src/commands/ipam/split.ts'],
    };
    expect(() => assertApart(inputs)).not.to.throw();
    const overlapping = { ...inputs, etcd: ['entry.ts', 'src/errors/usage-error.ts'] };
    expect(() => assertApart(overlapping)).to.throw(
      'the parts of the program overlap: src/errors/usage-error.ts is in cli and etcd',
    );
  });
});
