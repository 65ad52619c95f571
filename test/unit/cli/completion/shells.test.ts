import { expect } from 'chai';
import { SHELLS } from '../../../../src/cli/completion/scripts.ts';
import { CompletingShell, hasShell, manifestTree } from '../../../support/shell-completion.ts';

const FILES = ['report one.json', 'report-2.json'];

/** What a line is completed to, in every shell. */
const KNOWN: readonly (readonly [string, readonly string[]])[] = [
  ['ipamctl ', ['check', 'completion', 'datastore', 'ipam', 'release', 'show']],
  ['ipamctl datastore ', ['migrate', 'snapshot']],
  ['ipamctl datastore migrate ', ['export', 'import', 'lock', 'rename-node', 'status', 'unlock']],
  ['ipamctl ipam re', ['release', 'repair', 'restore']],
  ['kubectl-ipamctl ipam sh', ['show']],
  ['ipamctl --v', ['--version']],
  ['ipamctl datastore --h', ['--help']],
  ['ipamctl completion ', ['bash', 'fish', 'zsh']],
  ['ipamctl ipam split 4 --n', ['--name', '--no-color']],
  ['ipamctl ipam show --format ', ['html', 'json', 'text', 'yaml']],
  ['ipamctl ipam gc --format ', ['json', 'text', 'yaml']],
  ['ipamctl check --format=j', ['json']],
  ['ipamctl check --fail-on ', ['error', 'info', 'never', 'warning']],
  ['ipamctl show --by=n', ['namespace', 'node']],
  ['ipamctl ipam assign --use W', ['Workload']],
  ['ipamctl ipam configure --strictaffinity=', ['false', 'true']],
  ['ipamctl ipam check --explain ', ['leaked-address', 'orphan-handle', 'stuck-affinity']],
  ['ipamctl ipam check --only leaked-address,or', ['orphan-handle']],
  ['ipamctl check --skip=st', ['stuck-affinity']],
  ['ipamctl ipam repair --only ', ['orphan-handle', 'stuck-affinity']],
  ['ipamctl ipam release --from-report rep', FILES],
  ['ipamctl ipam restore rep', FILES],
  ['ipamctl ipam check -o rep', FILES],
  ['ipamctl check --snapshot rep', FILES],
  ['ipamctl ipam show --pool ', []],
  ['ipamctl datastore migrate rename-node alder --m', ['--map']],
];

describe('cli/completion/shells', function () {
  // A zsh takes its time to start.
  this.timeout(120_000);

  for (const name of SHELLS) {
    it(`is understood by ${name}`, async function () {
      if (!hasShell(name)) {
        console.log(`\nCompletion is not tried in ${name}: there is no such shell here.`);
        this.skip();
      }
      const shell = new CompletingShell(name, await manifestTree());
      try {
        for (const [line, expected] of KNOWN)
          expect(shell.complete(line), line).to.deep.equal(expected);
      } finally {
        shell.remove();
      }
    });
  }
});

describe('cli/completion/bash', () => {
  let shell: CompletingShell;
  before(async () => {
    shell = new CompletingShell('bash', await manifestTree());
  });
  after(() => shell.remove());

  it('keeps the codes before the last comma', () => {
    expect(shell.offers('ipamctl check --only leaked-address,or')).to.deep.equal([
      'leaked-address,orphan-handle',
    ]);
  });

  it('is read by a shell that stops at every fault', () => {
    expect(
      shell.run('bash', ['--norc', '-euc', 'source ./script; complete -p ipamctl']),
    ).to.deep.include({
      status: 0,
      stdout: 'complete -F _ipamctl ipamctl\n',
      stderr: '',
    });
  });

  const kubectl = (...words: readonly string[]): string =>
    shell.run('bash', [
      '-c',
      'ln -sf script kubectl_complete-ipamctl; bash ./kubectl_complete-ipamctl "$@"',
      'x',
      ...words,
    ]).stdout;

  it('answers kubectl in its own form', () => {
    expect(kubectl('ipam', 'check', '--for')).to.equal('--format\n:4\n');
    expect(kubectl('ipam', 'check', '--format=j')).to.equal('json\n:4\n');
    expect(kubectl('ipam', 'check', '--only=leaked-address,or')).to.equal(
      'leaked-address,orphan-handle\n:4\n',
    );
    expect(kubectl('completion', '')).to.equal('bash\nzsh\nfish\n:4\n');
    expect(kubectl('ipam', 'show', '--pool', '')).to.equal(':4\n');
  });

  it('leaves files to kubectl', () => {
    expect(kubectl('ipam', 'check', '--output', 'rep')).to.equal(':0\n');
  });
});
