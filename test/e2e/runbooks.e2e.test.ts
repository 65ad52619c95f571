import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { consoleBlocks, pages, programCalls } from '../support/documented-commands.ts';
import { manifestTree } from '../support/shell-completion.ts';
import { ROOT } from '../support/source-files.ts';
import { runShell } from '../support/run-cli.ts';

/** Name of the cluster in the folder in which a runbook is followed. */
const CLUSTER = 'cluster';

/** The files that a runbook is tried on; their cluster is written to. */
function prepare(fixture: string): { folder: string; cluster: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ipamctl-test-runbook-'));
  if (fixture === 'example') {
    const cluster = `${CLUSTER}.yaml.gz`;
    copyFileSync(join(ROOT, 'examples', 'troubled-cluster.yaml.gz'), join(folder, cluster));
    return { folder, cluster };
  }
  cpSync(join(ROOT, 'test', 'fixtures', fixture), folder, { recursive: true });
  const cluster = readdirSync(folder).find((name) => name.startsWith(`${CLUSTER}.`))!;
  return { folder, cluster };
}

/** Commands that ask take `--yes`, as nobody is there to answer. */
async function askingCommands(): Promise<ReadonlySet<string>> {
  const { commands } = await manifestTree();
  return new Set(
    commands
      .filter(({ flags }) => flags.some(({ name }) => name === 'yes'))
      .map(({ words }) => words.join(' ')),
  );
}

/** The same command on the snapshot instead of a live cluster. */
function onSnapshot(line: string, cluster: string, asking: ReadonlySet<string>): string {
  const [words = []] = programCalls(line);
  const first = words.findIndex((word) => word.startsWith('-'));
  const isAsking = [...asking].some((command) =>
    words.slice(0, first).join(' ').startsWith(command),
  );
  // A snapshot is read in place of what a configuration file names.
  const offline = line.replace(/ --config \S+/, '');
  return `${offline} --snapshot ${cluster}${isAsking ? ' --yes' : ''}`;
}

describe('e2e/runbooks', function () {
  this.timeout(300_000);

  for (const page of pages().filter(({ path }) => path.startsWith('docs/runbooks/'))) {
    const marked = consoleBlocks(page).filter(({ marks }) => marks.has('fixture'));
    const byFixture = Map.groupBy(marked, ({ marks }) => marks.get('fixture')!);
    for (const [fixture, blocks] of byFixture) {
      it(`can be followed on ${fixture}: ${page.path}`, async () => {
        const asking = await askingCommands();
        const { folder, cluster } = prepare(fixture);
        const env = { XDG_STATE_HOME: folder, IPAMCTL_NOW: '2026-11-29T12:00:00Z' };
        try {
          for (const { place, marks, lines } of blocks) {
            for (const line of lines) {
              const run = await runShell(
                `cd '${folder}'; ${onSnapshot(line, cluster, asking)}`,
                env,
              );
              const wanted = Number(marks.get('status') ?? 0);
              expect(run.status, `${place}: ${line}\n${run.stdout}${run.stderr}`).to.equal(wanted);
            }
          }
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      });
    }
  }
});
