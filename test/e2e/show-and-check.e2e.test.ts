import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { parseJson } from '../../src/support/json.ts';
import { runCli, runShell } from '../support/run-cli.ts';

const fixture = (path: string): string =>
  fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
const FAULTY = fixture('several-faults-at-once/cluster');
const HEALTHY = fixture('healthy-dual-stack/cluster');
const PARTIAL = fixture('dump-of-calico-kinds-only/cluster.yaml');
const NOW = { IPAMCTL_NOW: '2026-11-29T12:00:00Z' };

function check(...args: readonly string[]): ReturnType<typeof runCli> {
  return runCli(['ipam', 'check', ...args], { env: NOW });
}

function show(...args: readonly string[]): ReturnType<typeof runCli> {
  return runCli(['ipam', 'show', ...args], { env: NOW });
}

describe('e2e/check', function () {
  this.timeout(60_000);

  const statuses: readonly (readonly [string, readonly string[], number])[] = [
    ['a healthy cluster', ['--snapshot', HEALTHY], 0],
    ['problems', ['--snapshot', FAULTY], 1],
    ['problems that are not to fail', ['--snapshot', FAULTY, '--fail-on', 'never'], 0],
    ['warnings below the threshold, and rules that lack kinds', ['--snapshot', PARTIAL], 3],
    ['warnings at the threshold', ['--snapshot', PARTIAL, '--fail-on', 'warning'], 1],
    ['a check in part that was allowed', ['--snapshot', PARTIAL, '--allow-partial'], 0],
    ['a snapshot that is absent', ['--snapshot', '/absent/dump.yaml'], 9],
  ];
  for (const [title, args, status] of statuses) {
    it(`ends with ${status} for ${title}, in every format`, async () => {
      for (const format of ['text', 'json', 'yaml', 'html']) {
        const run = await check(...args, '--format', format);
        expect(run.status, `${format}: ${run.stderr}`).to.equal(status);
      }
    });
  }

  it('prints the same document as JSON and as YAML', async () => {
    const json = await check('--snapshot', FAULTY, '--format', 'json');
    const yaml = await check('--snapshot', FAULTY, '--format', 'yaml');
    const document = parseJson(json.stdout);
    expect(document).to.include({ kind: 'IPAMCheck', schemaVersion: 1 });
    expect(JSON.stringify(parse(yaml.stdout))).to.equal(JSON.stringify(JSON.parse(json.stdout)));
    expect(json.stderr + yaml.stderr).to.equal('');
  });

  it('writes the report that a release reads', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ipamctl-e2e-'));
    const path = join(folder, 'report.json');
    const run = await check('--snapshot', FAULTY, '--output', path);
    expect(run.status).to.equal(1);
    expect(run.stdout).to.contain('--from-report');
    const report = parseJson(readFileSync(path, 'utf8')) as { allocations: object };
    expect(report).to.include.keys('version', 'clusterGUID', 'datastoreLocked', 'allocations');
    rmSync(folder, { recursive: true });
  });

  it('refuses a report that cannot be written before it looks at anything', async () => {
    const run = await check('--snapshot', '/absent/dump.yaml', '--output', '/absent/report.json');
    expect(run).to.include({ status: 2, stdout: '' });
    expect(run.stderr).to.contain('cannot write /absent/report.json');
    expect(existsSync('/absent')).to.equal(false);
  });

  it('reads a snapshot from standard input', async () => {
    const run = await runCli(['check', '--snapshot', '-'], {
      env: NOW,
      stdin: readFileSync(PARTIAL),
    });
    expect(run.status).to.equal(3);
    expect(run.stdout).to.contain('unowned-empty-block');
  });

  it('judges only what --only names', async () => {
    const run = await check(
      '--snapshot',
      FAULTY,
      '--only',
      'missing-handle,orphan-handle',
      '--format',
      'json',
    );
    const { summary } = JSON.parse(run.stdout) as { summary: { byCode: object } };
    expect(summary.byCode).to.deep.equal({ 'missing-handle': 1, 'orphan-handle': 2 });
  });

  it('explains a rule without a datastore', async () => {
    const run = await runCli(['check', '--explain', 'leaked-address'], {
      env: { KUBECONFIG: '/absent' },
    });
    expect(run.status).to.equal(0);
    expect(run.stdout).to.match(/^leaked-address \(error\)\n/);
    expect((await check('--explain', 'leaked-adress')).stderr).to.contain(
      'Did you mean leaked-address?',
    );
  });

  it('ends quietly when the reader goes away', async () => {
    const run = await runShell(`ipamctl check --snapshot '${FAULTY}' --format json | head -1`, NOW);
    expect(run).to.include({ stdout: '{\n', stderr: '' });
  });

  it('reports an output that cannot be written', async () => {
    const run = await runShell(`ipamctl check --snapshot '${HEALTHY}' > /dev/full`, NOW);
    expect(run.status).to.equal(2);
    expect(run.stderr).to.match(/^Error: the output cannot be written: no space is left\n$/);
    const help = await runShell('ipamctl check --help > /dev/full');
    expect(help.status).to.equal(2);
    expect(help.stderr).to.match(/^(?:Error: the output cannot be written: no space is left\n)+$/);
    const version = await runShell('ipamctl --version > /dev/full');
    expect(version.status).to.equal(2);
    expect(version.stderr).to.match(/^Error: the output cannot be written: .*no space left.*\n$/);
  });

  it('writes no escape sequences without a terminal', async () => {
    const run = await runCli(['check', '--snapshot', FAULTY], {
      env: { ...NOW, NO_COLOR: undefined, TERM: 'xterm-256color' },
    });
    expect(run.stdout).not.to.contain('\u001b');
    expect(run.stderr).to.equal('');
  });
});

describe('e2e/show', function () {
  this.timeout(60_000);

  it('shows pools with exact counts', async () => {
    const run = await show('--snapshot', HEALTHY, '--format', 'json');
    expect(run.status).to.equal(0);
    expect(run.stdout).to.contain('"total": 18446744073709551616');
  });

  it('fits its text into COLUMNS', async () => {
    const run = await runCli(['show', '--snapshot', HEALTHY], { env: { ...NOW, COLUMNS: '60' } });
    expect(Math.max(...run.stdout.split('\n').map((line) => line.length))).to.be.at.most(60);
  });

  for (const flags of [
    ['--show-blocks'],
    ['--map'],
    ['--by', 'node'],
    ['--by', 'namespace'],
    ['--show-borrowed'],
    ['--show-configuration'],
  ]) {
    it(`answers ${flags.join(' ')} in every format`, async () => {
      for (const format of ['text', 'json', 'yaml', 'html']) {
        const run = await show('--snapshot', FAULTY, ...flags, '--format', format);
        expect(run.status, run.stderr).to.equal(0);
        expect(run.stdout).to.match(/\S\n$/);
      }
    });
  }

  it('tells who holds an address', async () => {
    const run = await show('--snapshot', FAULTY, '--ip', '198.18.0.1');
    expect(run.status).to.equal(0);
    expect(run.stdout)
      .to.match(/^198\.18\.0\.1 is in use\n/)
      .and.to.contain('Pod shop/cart-0 on node alder (alive)');
  });

  it('does not know a pool that does not exist', async () => {
    expect((await show('--snapshot', HEALTHY, '--pool', 'absent')).status).to.equal(4);
  });
});

describe('e2e/misuse', function () {
  this.timeout(60_000);

  const lines: readonly (readonly [string, RegExp])[] = [
    ['frobnicate', /there is no command "frobnicate"/],
    ['ipam frobnicate', /there is no command "ipam frobnicate"/],
    ['ipam show extra', /ipam show takes no argument: extra/],
    ['ipam check --frobnicate', /nonexistent flag: --frobnicate/],
    ['ipam check --only frob', /no check rule has the code frob/],
    ['ipam check --only leaked-address --skip leaked-address', /named by --only and by --skip/],
    ['ipam check --min-age 5', /--min-age: "5" is no duration/],
    ['ipam check --fail-on fatal', /--fail-on=fatal/],
    ['ipam check --quiet --verbose', /--quiet and --verbose exclude each other/],
    ['ipam show --format xml', /--format=xml/],
    ['ipam show --ip 010.1.1.1', /--ip: "010\.1\.1\.1" is an invalid IP address/],
    ['ipam show --ip 10.0.0.1 --map', /--ip and --map exclude each other/],
    ['ipam show --show-borrowed --show-configuration', /exclude each other/],
    ['ipam show --snapshot x --kubeconfig y', /exclude each other/],
    ['ipam show --qps 0', /--qps: "0" is no number above 0/],
    ['ipam show --page-size 0', /--page-size|integer/],
  ];
  for (const [line, message] of lines) {
    it(`ends "${line}" with 2`, async () => {
      const run = await runCli(line.split(' '));
      expect(run, run.stderr).to.include({ status: 2, stdout: '' });
      expect(run.stderr)
        .to.match(message)
        .and.to.match(/^Error: /);
    });
  }

  it('ends with 2 when IPAMCTL_NOW is no time', async () => {
    const run = await runCli(['show', '--snapshot', HEALTHY], { env: { IPAMCTL_NOW: 'noon' } });
    expect(run.status).to.equal(2);
    expect(run.stderr).to.contain('IPAMCTL_NOW');
  });

  for (const format of ['json', 'yaml'] as const) {
    it(`writes a document about an error as ${format}, on stderr`, async () => {
      const run = await show('--frobnicate', '--format', format);
      expect(run).to.include({ status: 2, stdout: '' });
      expect(parse(run.stderr)).to.include({ kind: 'IPAMError', code: 'USAGE', status: 2 });
    });
  }
});

describe('e2e/cancellation', function () {
  this.timeout(60_000);

  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends with ${status} on ${signal} and says so`, async () => {
      const run = await runCli(['show', '--snapshot', '-'], {
        interrupt: { signal, afterMs: 1500 },
      });
      expect(run).to.include({ status, stdout: '', stderr: `Error: stopped by ${signal}\n` });
    });
  }

  it('ends with 8 when the time limit is over', async () => {
    const run = await runShell('sleep 2 | ipamctl show --snapshot - --timeout 200ms');
    expect(run).to.include({ status: 8, stdout: '' });
    expect(run.stderr).to.contain('not done within 0.2 seconds');
  });
});

describe('e2e/help', function () {
  this.timeout(60_000);

  for (const args of [
    [],
    ['--help'],
    ['ipam'],
    ['ipam', 'show', '--help'],
    ['ipam', 'check', '--help'],
    ['check', '--help'],
  ]) {
    it(`fits the help of "${args.join(' ')}" into 80 columns`, async () => {
      const run = await runCli(args, { env: { COLUMNS: '80' } });
      expect(run.status).to.equal(0);
      expect(run.stdout).to.contain('USAGE');
      expect(run.stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
    });
  }

  it('lists the exit statuses of a command', async () => {
    expect((await runCli(['check', '--help'])).stdout).to.match(/EXIT STATUS\n\s+0 +done/);
  });

  it('ends quietly when the reader of a help goes away', async () => {
    const run = await runShell('ipamctl ipam check --help | head -1');
    expect(run.stderr).to.equal('');
  });
});
