import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { INPUT_ARGS, INPUT_FLAGS, OUTPUT_FLAGS } from '../../src/cli/path-flags.ts';
import { FIXTURES } from '../support/fixture.ts';
import { runCli, runShell, type RunResult } from '../support/run-cli.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

/** What the manifest says of a flag or an argument. */
interface Parameter {
  readonly name: string;
  readonly helpValue?: string;
  readonly required?: boolean;
  readonly type?: string;
}

/** A way to name a file that is read, and how messages call it. */
interface Input {
  readonly name: string;
  readonly says: string;
  readonly words: (path: string) => string[];
}

interface Command {
  readonly id: string;
  readonly flags: Readonly<Record<string, Parameter>>;
  readonly args: Readonly<Record<string, Parameter>>;
}

const { commands } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../oclif.manifest.json', import.meta.url)), 'utf8'),
) as { readonly commands: Readonly<Record<string, Command>> };

/** Arguments that name no file. */
const WORDS = ['new', 'number', 'old', 'shell'];

const TEXT = 'nothing that anybody could read\n';

const isOutput = (name: string): boolean => OUTPUT_FLAGS.some((flag) => flag === name);
const isInput = (name: string): boolean => INPUT_FLAGS.some((flag) => flag === name);

/** Words for the parser: the command, and what it must be given beside the flags of the test. */
function wordsOf({ id, flags, args }: Command, given: readonly string[]): string[] {
  const needed = Object.values(flags)
    .filter(({ name, required }) => required === true && !given.includes(name))
    .flatMap(({ name }) => [`--${name}`, '/nowhere/else']);
  const positional = Object.values(args)
    .filter(({ name, required }) => required === true && !given.includes(name))
    .map(() => '2');
  return [...id.split(':'), ...positional, ...needed];
}

/** Every way to read with a command: by a flag, or by an argument, which messages call by another name. */
function inputsOf({ flags, args }: Command): Input[] {
  return [
    ...Object.keys(flags)
      .filter(isInput)
      .map((name) => ({ name, says: `--${name}`, words: (path: string) => [`--${name}`, path] })),
    ...Object.entries(INPUT_ARGS)
      .filter(([name]) => name in args)
      .map(([name, says]) => ({ name, says, words: (path: string) => [path] })),
  ];
}

describe('e2e/same-file', function () {
  this.timeout(60_000);

  const folders = temporaryFolders();

  function run(folder: string, ...args: readonly string[]): Promise<RunResult> {
    const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), KUBECONFIG: undefined };
    return runCli(args, { env, cwd: folder });
  }

  function assertRefused({ status, stdout, stderr }: RunResult): void {
    expect(status, stderr).to.equal(2);
    // Lines are broken wherever they are full.
    expect(stderr.replaceAll(/\s+/g, ' ')).to.match(
      / are the same file: .* Name another file for /,
    );
    expect(stdout).to.equal('');
  }

  it('knows of every flag and argument that names a file whether it is read or written', () => {
    const seen = new Set<string>();
    for (const { id, flags, args } of Object.values(commands)) {
      for (const { name, helpValue } of Object.values(flags)) {
        if (!/\b(?:FILE|PATH)\b/.test(helpValue ?? '')) continue;
        expect([isOutput(name), isInput(name)].filter(Boolean), `${id} --${name}`).to.have.length(
          1,
        );
        seen.add(name);
      }
      for (const name of Object.keys(args)) {
        expect([...Object.keys(INPUT_ARGS), ...WORDS], `${id} ${name}`).to.include(name);
        seen.add(name);
      }
    }
    const known = [...OUTPUT_FLAGS, ...INPUT_FLAGS, ...Object.keys(INPUT_ARGS), ...WORDS];
    expect([...seen].sort()).to.deep.equal(known.sort());
  });

  for (const command of Object.values(commands)) {
    const outputs = Object.keys(command.flags).filter(isOutput);
    if (outputs.length === 0) continue;

    it(`is never read and written by ${command.id.replaceAll(':', ' ')}`, async () => {
      const folder = await folders({ file: TEXT });
      const path = join(folder, 'file');
      const others = (output: string) =>
        outputs
          .filter((name) => name > output)
          .map((name) => ({
            name,
            says: `--${name}`,
            words: (same: string) => [`--${name}`, same],
          }));
      for (const output of outputs)
        for (const { name, says, words } of [...inputsOf(command), ...others(output)]) {
          const all = [...wordsOf(command, [output, name]), `--${output}`, path, ...words(path)];
          const result = await run(folder, ...all);
          for (const flag of [`--${output} `, says])
            expect(result.stderr, all.join(' ')).to.include(flag);
          assertRefused(result);
        }
      expect(readFileSync(path, 'utf8')).to.equal(TEXT);
    });
  }

  it('is known by another name, through links, and as what standard input comes from', async () => {
    const folder = await folders({ file: TEXT });
    const path = join(folder, 'file');
    symlinkSync('file', join(folder, 'link'));
    linkSync(path, join(folder, 'hard'));
    for (const other of ['file', './file', 'link', 'hard', relative(folder, path)])
      assertRefused(await run(folder, 'check', '--snapshot', path, '-o', other));
    const command = `ipamctl check --snapshot - -o '${path}' < '${path}'`;
    assertRefused(await runShell(command, { HOME: folder }));
    expect(readFileSync(path, 'utf8')).to.equal(TEXT);
  });

  it('is looked for in folders, but what holds nothing of ours may lie there and be written', async () => {
    const folder = await folders({});
    const snapshot = join(folder, 'cluster');
    cpSync(join(FIXTURES, 'several-faults-at-once', 'cluster'), snapshot, { recursive: true });
    for (const name of readdirSync(snapshot)) {
      const before = readFileSync(join(snapshot, name), 'utf8');
      for (const flags of [
        ['check', '-o'],
        ['datastore', 'snapshot', '-o'],
        ['ipam', 'gc', '--once', '--leak-grace', '1s', '--metrics-file'],
      ])
        assertRefused(await run(folder, ...flags, join(snapshot, name), '--snapshot', snapshot));
      expect(readFileSync(join(snapshot, name), 'utf8')).to.equal(before);
    }
    const report = ['check', '--snapshot', snapshot, '-o', join(snapshot, 'report.json')];
    for (const round of [1, 2])
      expect((await run(folder, ...report)).status, String(round)).to.equal(1);
  });

  it('is looked for among what the environment and the home name', async () => {
    const folder = await folders({ config: TEXT });
    const path = join(folder, 'config');
    mkdirSync(join(folder, '.kube'));
    writeFileSync(join(folder, '.kube', 'config'), TEXT);
    for (const [env, output] of [
      [{ KUBECONFIG: path }, path],
      [{ KUBECONFIG: `/nowhere:${path}` }, path],
      [{ KUBECONFIG: undefined }, join(folder, '.kube', 'config')],
      [{ ETCD_ENDPOINTS: 'http://127.0.0.1:1', ETCD_KEY_FILE: path }, path],
    ] as const) {
      const args = ['release', '--ip', '192.0.2.1', '--undo-file', output];
      const report = await runCli(['check', '-o', output], { env: { HOME: folder, ...env } });
      assertRefused(report);
      const undo = await runCli(args, { env: { HOME: folder, ...env } });
      expect(undo.status, undo.stderr).to.equal(2);
      expect(readFileSync(output, 'utf8')).to.equal(TEXT);
    }
  });
});
