import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { runCli } from '../support/run-cli.ts';
import { ROOT } from '../support/source-files.ts';

const SNAPSHOT = ['--snapshot', join(ROOT, 'examples', 'troubled-cluster.yaml.gz')];

/** Places of texts in the order in which they stand. */
function order(text: string, parts: readonly string[]): readonly string[] {
  const at = (part: string): number => text.indexOf(part);
  for (const part of parts) expect(text).to.contain(part);
  return parts.toSorted((one, other) => at(one) - at(other));
}

describe('e2e/help', function () {
  this.timeout(60_000);

  it('has the same help by --help, -h and help', async () => {
    for (const words of [[], ['check'], ['ipam', 'release'], ['datastore', 'migrate']]) {
      const { stdout } = await runCli([...words, '--help']);
      expect(stdout).to.contain('USAGE');
      for (const argv of [
        [...words, '-h'],
        ['help', ...words],
      ])
        expect(await runCli(argv), argv.join(' ')).to.deep.equal({ status: 0, stdout, stderr: '' });
    }
  });

  it('tells its version by a command as by the flag', async () => {
    expect(await runCli(['version'])).to.deep.equal(await runCli(['--version']));
  });

  it('knows no help for what is no command', async () => {
    for (const argv of [
      ['help', 'frob'],
      ['frob', '-h'],
    ]) {
      const { status, stderr } = await runCli(argv);
      expect(status).to.equal(2);
      expect(stderr).to.contain('there is no command "frob"');
    }
  });

  it('shows the flags that a command has of its own before those that all have', async () => {
    for (const [command, own] of [
      ['release', 'WHAT TO RELEASE FLAGS'],
      ['repair', 'WHAT TO REPAIR FLAGS'],
      ['assign', 'WHAT TO ASSIGN FLAGS'],
      ['gc', 'WHEN FLAGS'],
      ['check', 'RULES FLAGS'],
    ] as const) {
      const { stdout } = await runCli(['ipam', command, '--help']);
      const titles = [own, 'CONNECTION FLAGS', 'GENERAL FLAGS'];
      expect(order(stdout, titles)).to.deep.equal(titles);
    }
  });

  it('shows under each name of a command the other one', async () => {
    const aliasesOf = async (...words: string[]) =>
      /^ALIASES\n((?: {2}.*\n)+)/m.exec((await runCli([...words, '--help'])).stdout)?.[1];
    expect(await aliasesOf('check')).to.equal('  $ ipamctl ipam check\n');
    expect(await aliasesOf('ipam', 'check')).to.equal('  $ ipamctl check\n');
    expect(await aliasesOf('ipam', 'repair')).to.equal(undefined);
  });

  it('names itself in what is to be run as it was called', () => {
    const plugin = (...args: string[]) =>
      spawnSync(process.execPath, [join(ROOT, 'bin', 'kubectl-ipamctl.js'), ...args], {
        encoding: 'utf8',
      });
    const { stdout } = plugin('check', ...SNAPSHOT);
    expect(stdout).to.contain('`kubectl ipamctl ipam repair --only orphan-handle`');
    expect(stdout).to.contain('\n  kubectl ipamctl ipam release --from-report report.json');
    expect(stdout).to.not.match(/(?<!kubectl )ipamctl ipam/);
    expect(plugin('show', '192.0.2.7').stderr).to.contain('kubectl ipamctl show --ip 192.0.2.7');
    const { stdout: document } = plugin('check', ...SNAPSHOT, '--format', 'json');
    expect(document).to.not.contain('kubectl ipamctl');
  });
});
