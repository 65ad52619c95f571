import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonObject, parseJson } from '../../src/support/json.ts';
import { FIXTURES, inputOf } from '../support/fixture.ts';
import { runCli, runShell } from '../support/run-cli.ts';

const SOURCE = inputOf(join(FIXTURES, 'several-faults-at-once')) ?? '';
const ENV = { IPAMCTL_NOW: '2026-11-29T12:00:00Z' };

describe('e2e/datastore snapshot', function () {
  this.timeout(60_000);

  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-e2e-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: readonly string[]): ReturnType<typeof runCli> => runCli(args, { env: ENV });

  async function byCode(snapshot: string): Promise<unknown> {
    const { stdout } = await run('ipam', 'check', '--snapshot', snapshot, '--format', 'json');
    return (parseJson(stdout) as { summary: JsonObject }).summary;
  }

  for (const flags of [[], ['--redact'], ['--redact=all']]) {
    it(`writes a file of which a check finds the same ${flags.join(' ')}`, async () => {
      const path = join(folder, 'cluster.json.gz');
      const { status, stdout, stderr } = await run(
        ...['datastore', 'snapshot', '--snapshot', SOURCE, '-o', path, '--format', 'json'],
        ...flags,
      );
      expect([status, stderr]).to.deep.equal([0, '']);
      const document = parseJson(stdout) as JsonObject;
      expect(document).to.include({ kind: 'DatastoreSnapshot', file: path, written: true });
      const bytes = readFileSync(path);
      expect(document).to.include({
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
      });
      expect(statSync(path).mode & 0o777).to.equal(0o600);
      expect(readdirSync(folder)).to.deep.equal(['cluster.json.gz']);
      expect(await byCode(path)).to.deep.equal(await byCode(SOURCE));
    });
  }

  it('makes other pseudonyms each time', async () => {
    const texts = await Promise.all(
      [1, 2].map(() => run('datastore', 'snapshot', '--snapshot', SOURCE, '-o', '-', '--redact')),
    );
    const names = texts.map(({ stdout }) => /node-[a-z2-7]{12}/.exec(stdout)?.[0]);
    expect(names[0]).not.to.equal(undefined);
    expect(names[0]).not.to.equal(names[1]);
  });

  it('writes the file alone to stdout, and the summary to stderr', async () => {
    const { status, stdout, stderr } = await run(
      ...['datastore', 'snapshot', '--snapshot', SOURCE, '-o', '-'],
    );
    expect(status).to.equal(0);
    expect(parseJson(stdout)).to.include({ kind: 'IPAMSnapshot' });
    expect(stderr).to.match(/objects of snapshot[^]* written to standard output/);
  });

  it('pipes into a check', async () => {
    const { status, stdout } = await runShell(
      `ipamctl datastore snapshot --snapshot ${SOURCE} -o - --redact=all --quiet | ipamctl ipam check --snapshot - --fail-on never --format json`,
      ENV,
    );
    expect(status).to.equal(0);
    expect((parseJson(stdout) as { summary: JsonObject }).summary).to.deep.equal(
      await byCode(SOURCE),
    );
  });

  it('ends in part, without a word, when its reader goes away', async () => {
    const { status, stderr } = await runShell(
      `ipamctl datastore snapshot --snapshot ${SOURCE} -o - --quiet | true; echo "\${PIPESTATUS[0]}" >&2`,
      ENV,
    );
    expect([status, stderr]).to.deep.equal([0, '3\n']);
  });

  it('writes nothing in a dry run, and keeps an old file when the source cannot be read', async () => {
    const path = join(folder, 'cluster.json');
    writeFileSync(path, 'old');
    const dry = await run(
      ...[
        'datastore',
        'snapshot',
        '--snapshot',
        SOURCE,
        '-o',
        path,
        '--dry-run',
        '--format',
        'json',
      ],
    );
    expect([dry.status, parseJson(dry.stdout)]).to.have.nested.property('[1].written', false);
    writeFileSync(join(folder, 'cut.json'), '{"kind":"IPAMSnapshot","items":[');
    const cut = await run(
      'datastore',
      'snapshot',
      '--snapshot',
      join(folder, 'cut.json'),
      '-o',
      path,
    );
    expect(cut.status).to.equal(9);
    expect(readFileSync(path, 'utf8')).to.equal('old');
    expect(readdirSync(folder).sort()).to.deep.equal(['cluster.json', 'cut.json']);
  });

  it('refuses a place that cannot be written, and a level that it does not know', async () => {
    const nowhere = await run('datastore', 'snapshot', '--snapshot', SOURCE, '-o', '/nowhere/x');
    expect([nowhere.status, nowhere.stdout]).to.deep.equal([2, '']);
    const wrong = await run(
      ...['datastore', 'snapshot', '--snapshot', SOURCE, '-o', '-', '--redact=some'],
    );
    expect([wrong.status, wrong.stdout]).to.deep.equal([2, '']);
  });
});
