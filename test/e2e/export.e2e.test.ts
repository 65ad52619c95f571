import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type JsonObject, parseJson } from '../../src/support/json.ts';
import { readMigration } from '../support/export-world.ts';
import { FIXTURES } from '../support/fixture.ts';
import { runCli, runShell } from '../support/run-cli.ts';

const RECORDED = join(
  import.meta.dirname,
  '..',
  'migrations',
  'export-with-other-kubernetes-names',
);

describe('e2e/datastore migrate export', function () {
  this.timeout(60_000);

  let folder = '';
  /** Beside the folder, since the program keeps its compiled code there. */
  let home = '';
  let snapshot = '';
  let target = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-export-'));
    home = mkdtempSync(join(tmpdir(), 'ipamctl-home-'));
    snapshot = join(folder, 'etcd.calico');
    target = join(folder, 'out.calico');
    cpSync(join(RECORDED, 'export.calico'), snapshot);
    chmodSync(snapshot, 0o600);
  });

  afterEach(() => {
    for (const each of [folder, home]) rmSync(each, { recursive: true, force: true });
  });

  function exportTo(file: string, ...more: readonly string[]): ReturnType<typeof runCli> {
    return runCli(['datastore', 'migrate', 'export', '--snapshot', snapshot, '-o', file, ...more], {
      env: { HOME: home },
    });
  }

  /** The source with a node that is none of Kubernetes. */
  function addBareNode(): void {
    const text = readFileSync(snapshot, 'utf8');
    const item =
      '- apiVersion: projectcalico.org/v3\n  kind: Node\n  metadata:\n    name: bare-1\n  spec: {}\n';
    writeFileSync(snapshot, text.replace('kind: NodeList', `${item}kind: NodeList`));
  }

  it('writes a file that only its owner may read, in place of an old one', async () => {
    writeFileSync(target, 'old', { mode: 0o644 });
    const { status, stdout, stderr } = await exportTo(target, '--format', 'json');
    expect(status, stderr).to.equal(0);
    const document = parseJson(stdout) as JsonObject;
    expect(document).to.include({ kind: 'MigrationExport', written: true, file: target });
    expect(statSync(target).mode & 0o777).to.equal(0o600);
    const file = readMigration(readFileSync(target, 'utf8'));
    expect(file.manifest?.sha256).to.equal(document['sha256']);
    expect(file.manifest?.counts).to.deep.equal(document['counts']);
    expect(file.entries).to.have.lengthOf(9);
    expect(readdirSync(folder).sort()).to.deep.equal(['etcd.calico', 'out.calico']);
  });

  it('prints the file alone on stdout, and what it did on stderr', async () => {
    const { status, stdout, stderr } = await exportTo('-');
    expect(status).to.equal(0);
    expect(readMigration(stdout).objects).not.to.have.lengthOf(0);
    expect(stderr).to.include('to standard output').and.include('IPAMBlock');
    expect((await exportTo('-', '--quiet')).stderr).to.equal('');
  });

  it('ends in part, without a stack, when the reader goes away', async () => {
    // More than a pipe holds.
    const text = readFileSync(snapshot, 'utf8');
    const annotation = `metadata:\n    annotations:\n      example.org/long: ${'x'.repeat(500_000)}\n`;
    writeFileSync(snapshot, text.replace('metadata:\n', annotation));
    const command = `ipamctl datastore migrate export --snapshot '${snapshot}' -o - | head -c 10`;
    const { status, stdout, stderr } = await runShell(command);
    expect([status, stdout]).to.deep.equal([3, 'apiVersion']);
    expect(stderr)
      .to.include('went away')
      .and.not.match(/at .*\.js|EPIPE/);
  });

  it('is misuse when the place cannot be written, found before anything is read', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed, { mode: 0o500 });
    const places = [join(folder, 'nowhere', 'x'), folder, ''];
    // The superuser may write everywhere.
    if (process.getuid?.() !== 0) places.push(join(closed, 'x'));
    for (const place of places) {
      const { status, stdout } = await exportTo(place, '--snapshot', snapshot);
      expect([status, stdout], place).to.deep.equal([2, '']);
    }
  });

  it('is misuse when the disk is full', async function () {
    if (!existsSync('/dev/full')) this.skip();
    expect((await exportTo('/dev/full')).status).to.equal(2);
    const command = `ipamctl datastore migrate export --snapshot '${snapshot}' -o - > /dev/full`;
    expect((await runShell(command)).status).to.equal(2);
  });

  it('writes nothing and leaves an old file alone when it refuses', async () => {
    addBareNode();
    writeFileSync(target, 'old');
    const { status, stdout, stderr } = await exportTo(target, '--format', 'json');
    expect(status).to.equal(6);
    expect((parseJson(stdout) as JsonObject)['refusals']).to.have.lengthOf(1);
    expect(stderr).to.include('bare-1').and.include('--skip-node');
    expect(readFileSync(target, 'utf8')).to.equal('old');
    const onStdout = await exportTo('-');
    expect([onStdout.status, onStdout.stdout]).to.deep.equal([6, '']);
  });

  it('leaves out the nodes that are named', async () => {
    addBareNode();
    const { status } = await exportTo(target, '--skip-node', 'bare-1');
    expect(status).to.equal(0);
    expect(readFileSync(target, 'utf8')).not.to.include('bare-1');
    expect(
      (await exportTo(target, '--skip-node', 'bare-2', '--skip-node', 'bare-1')).status,
    ).to.equal(4);
  });

  it('plans without writing', async () => {
    const { status, stdout } = await exportTo(target, '--dry-run');
    expect(status).to.equal(0);
    expect(stdout).to.include('can be exported');
    expect(existsSync(target)).to.equal(false);
    expect((await exportTo('-', '--dry-run')).stdout).to.include('can be exported');
  });

  it('names the other way to save a cluster in Kubernetes', async () => {
    snapshot = join(FIXTURES, 'healthy-dual-stack', 'cluster');
    const { status, stderr } = await exportTo(target);
    expect(status).to.equal(10);
    expect(stderr).to.include('datastore snapshot');
  });
});
