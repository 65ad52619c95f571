import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { RULES } from '../../src/check/registry.ts';
import { REPAIRS } from '../../src/operations/repairs/registry.ts';
import { runCli, runShell } from '../support/run-cli.ts';
import { ROOT } from '../support/source-files.ts';

const ASK = `source <(ipamctl completion bash); COMP_WORDS=("\${WORDS[@]}"); COMP_CWORD=$((\${#WORDS[@]} - 1)); _ipamctl; echo "\${COMPREPLY[@]}"`;

describe('e2e/completion', function () {
  this.timeout(60_000);

  it('prints a script that bash reads from a pipe', async () => {
    const run = await runShell(`WORDS=(ipamctl ipam check --explain ''); ${ASK}`);
    expect(run).to.include({ status: 0, stderr: '' });
    expect(run.stdout.trim().split(' ')).to.deep.equal(RULES.map(({ code }) => code));
  });

  it('offers for a repair what can be repaired', async () => {
    const run = await runShell(`WORDS=(ipamctl ipam repair --only ''); ${ASK}`);
    expect(run.stdout.trim().split(' ')).to.deep.equal(REPAIRS.map(({ code }) => code));
  });

  it('prints each script whole and nothing else', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const run = await runCli(['completion', shell]);
      expect(run, shell).to.include({ status: 0, stderr: '' });
      expect(run.stdout, shell).to.match(/\n$/).and.include('ipamctl');
    }
  });

  for (const [title, args] of [
    ['an unknown shell', ['tcsh']],
    ['no shell', []],
    ['two shells', ['bash', 'zsh']],
    ['a flag of other commands', ['bash', '--snapshot', 'dump']],
  ] as const) {
    it(`ends with 2 for ${title}`, async () => {
      const run = await runCli(['completion', ...args]);
      expect(run).to.include({ status: 2, stdout: '' });
      expect(run.stderr).to.match(/^Error: /);
    });
  }
});

describe('e2e/kubectl plugin', function () {
  this.timeout(60_000);
  const plugin = join(ROOT, 'bin', 'kubectl-ipamctl.js');
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [plugin, ...args], { encoding: 'utf8' });

  it('shows itself in its help as kubectl calls it', () => {
    const { status, stdout } = run('ipam', 'check', '--help');
    expect(status).to.equal(0);
    expect(stdout)
      .to.include('$ kubectl ipamctl ipam check')
      .and.not.match(/\$ ipamctl/);
    expect(run('--help').stdout).to.include('$ kubectl ipamctl [COMMAND]');
  });

  it('keeps the exit statuses', () => {
    const snapshot = ['--snapshot', join(ROOT, 'examples', 'troubled-cluster.yaml.gz')];
    expect(run('check', ...snapshot).status).to.equal(1);
    expect(run('check', '--only', 'no-such-code').status).to.equal(2);
    expect(run('no-such-command').status).to.equal(2);
  });
});
