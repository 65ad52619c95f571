import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/source-files.ts';

const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const CRUISER = join(ROOT, 'node_modules', '.bin', 'depcruise');

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

/** Names of the rules that a tree breaks, with the file that breaks them. */
function brokenRules(root: string): string[] {
  const args = ['--config', CONFIG, '--output-type', 'json', 'src'];
  const { stdout, stderr } = spawnSync(CRUISER, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(stderr).to.equal('');
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return [...new Set(summary.violations.map(({ from, rule }) => `${rule.name} ${from}`))].sort();
}

/** One import a file, each against a rule. */
const BREACHES: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['errors-are-the-bottom', 'src/errors/a.ts', `import '../support/low.ts';`],
  ['support-stays-low', 'src/support/a.ts', `import '../net/low.ts';`],
  [
    'net-knows-addresses-only',
    'src/net/a.ts',
    `import type { Low } from '../ipam/low.ts'; export type A = Low;`,
  ],
  ['ipam-is-the-core', 'src/ipam/a.ts', `import '../check/low.ts';`],
  ['check-judges-only', 'src/check/a.ts', `import '../operations/low.ts';`],
  ['datastore-core-knows-no-backend', 'src/datastore/a.ts', `import('./memory/low.ts');`],
  ['datastore-core-knows-no-backend', 'src/datastore/codec/a.ts', `import '../../ipam/low.ts';`],
  [
    'datastore-kubernetes-stands-alone',
    'src/datastore/kubernetes/a.ts',
    `import '../memory/low.ts';`,
  ],
  ['datastore-memory-stands-alone', 'src/datastore/memory/a.ts', `import '../snapshot/low.ts';`],
  ['operations-use-the-port', 'src/operations/a.ts', `import('../datastore/memory/low.ts');`],
  ['render-uses-types-only', 'src/render/a.ts', `import '../ipam/low.ts';`],
  [
    'render-knows-no-source',
    'src/render/b.ts',
    `import type { Low } from '../datastore/low.ts'; export type B = Low;`,
  ],
  ['cli-is-the-rim', 'src/cli/a.ts', `import '../check/low.ts';`],
  ['cli-calls-no-operation', 'src/cli/b.ts', `import '../operations/low.ts';`],
  ['commands-are-thin', 'src/commands/a.ts', `import '../ipam/low.ts';`],
  ['backends-are-opened-lazily', 'src/datastore/open-datastore.ts', `import './memory/low.ts';`],
  ['core-needs-no-package', 'src/net/b.ts', `import 'yaml';`],
  ['packages-of-memory', 'src/datastore/memory/b.ts', `import 'yaml';`],
  ['packages-of-commands', 'src/commands/b.ts', `import 'chalk';`],
  ['one-place-for-chalk', 'src/render/c.ts', `import 'chalk';`],
  ['core-sees-no-machine', 'src/check/b.ts', `import 'node:fs';`],
  ['ipam-hashes-only', 'src/ipam/b.ts', `import 'node:os';`],
  ['commands-see-no-machine', 'src/commands/c.ts', `import 'node:fs';`],
  ['no-cycles', 'src/net/c.ts', `import './d.ts'; export const c = 1;`],
  ['nothing-unresolvable', 'src/net/e.ts', `import './nowhere.ts';`],
  ['nothing-unreachable', 'src/net/f.ts', `export const f = 1;`],
  ['no-barrels', 'src/net/g.ts', `import './index.ts';`],
  ['no-test-code', 'src/net/h.ts', `import '../../test/low.ts';`],
  ['bundled-packages-only', 'src/cli/c.ts', `import 'chai';`],
];

const LOW = [
  'support',
  'net',
  'ipam',
  'check',
  'operations',
  'datastore',
  'datastore/memory',
  'datastore/snapshot',
];

/** A tree that breaks every rule once. */
function writeBreaches(root: string): void {
  const files = [
    ...BREACHES.map(([, file, text]) => [file, text] as const),
    ...LOW.map(
      (folder) =>
        [
          `src/${folder}/low.ts`,
          'export interface Low { readonly low: true }\nexport const low = 1;',
        ] as const,
    ),
    ['src/net/index.ts', 'export const index = 1;'] as const,
    ['src/net/d.ts', `import './c.ts';\nexport const d = 1;`] as const,
    ['test/low.ts', 'export const low = 1;'] as const,
  ];
  for (const [file, text] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), `${text}\n`);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const name of ['package.json', 'tsconfig.json'])
    symlinkSync(join(ROOT, name), join(root, name));
}

describe('architecture/imports', function () {
  this.timeout(60_000);

  it('points all arrows one way', () => {
    expect(brokenRules(ROOT)).to.deep.equal([]);
  });

  it('notices every kind of breach', () => {
    const root = mkdtempSync(join(tmpdir(), 'ipamctl-test-imports-'));
    try {
      writeBreaches(root);
      const broken = brokenRules(root);
      const unnoticed = BREACHES.map(([rule, file]) => `${rule} ${file}`).filter(
        (breach) => !broken.includes(breach),
      );
      expect(unnoticed).to.deep.equal([]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
