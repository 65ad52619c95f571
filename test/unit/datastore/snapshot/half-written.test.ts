import { expect } from 'chai';
import { spawn, spawnSync } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolders } from '../../../support/temp-folder.ts';

const SOURCE = join(import.meta.dirname, '..', '..', '..', '..', 'src');

/** Objects of the file; enough that writing it takes a while. */
const COUNT = 2000;
const KILLS = 8;

const fileText = (count: number): string =>
  Array.from({ length: COUNT }, (_, i) =>
    JSON.stringify({
      apiVersion: 'crd.projectcalico.org/v1',
      kind: 'IPAMHandle',
      metadata: { name: `h${i}` },
      spec: { handleID: `h${i}`, block: { '192.0.2.0/26': count }, deleted: false },
    }),
  ).join('\n');

/** Sets all counts to 1, 2, 3, ... and flushes each time, for ever or a few times. */
const WRITER = `
const { openSnapshot } = await import(${JSON.stringify(`${SOURCE}/datastore/snapshot/snapshot-datastore.ts`)});
const datastore = await openSnapshot(process.argv[1], { stdin: (async function* () {})() });
for (let round = 1; round <= Number(process.argv[2]); round++) {
  for (let i = 0; i < ${COUNT}; i++) {
    const row = await datastore.get('IPAMHandle', { name: 'h' + i });
    await datastore.update({ ...row, counts: row.counts.map((one) => ({ ...one, count: round })) });
  }
  await datastore.flush();
  if (round === 1) console.log('started');
}
`;

const argumentsOf = (file: string, rounds: number): string[] => [
  '--input-type=module',
  '--eval',
  WRITER,
  file,
  String(rounds),
];

/** The count that all objects of a text have; an error when it is no whole text of one round. */
function countIn(text: string): number {
  const counts = text.split('\n').map((line) => {
    const { spec } = JSON.parse(line) as { spec: { block: Record<string, number> } };
    return spec.block['192.0.2.0/26'] ?? NaN;
  });
  expect(counts).to.have.length(COUNT);
  expect(new Set(counts).size, 'rounds in one file').to.equal(1);
  return counts[0] ?? NaN;
}

describe('datastore/snapshot: never half-written', function () {
  this.timeout(120_000);
  const write = temporaryFolders();

  it('holds one whole state wherever the writer is killed', async () => {
    const folder = await write({ 'dump.json': fileText(0) });
    const file = join(folder, 'dump.json');
    for (let kill = 0; kill < KILLS; kill++) {
      const writer = spawn(process.execPath, argumentsOf(file, 1e9), {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = new Promise((resolve) => writer.once('exit', resolve));
      await new Promise((resolve) => writer.stdout.once('data', resolve));
      await delay(kill * 23);
      writer.kill('SIGKILL');
      await ended;
      expect(countIn((await readFile(file)).toString())).to.be.greaterThan(0);
    }
  });

  it('keeps the old state when the disk is full', async () => {
    const folder = await write({ 'dump.json': fileText(0) });
    const file = join(folder, 'dump.json');
    // A limit of the size of files acts as a full disk does: writing stops in the middle.
    const command = 'ulimit -f 8; trap "" XFSZ; exec "$0" "$@"';
    const { status, stderr } = spawnSync('sh', [
      '-c',
      command,
      process.execPath,
      ...argumentsOf(file, 1),
    ]);
    expect(status).not.to.equal(0);
    expect(stderr.toString()).to.include(`cannot write ${file}`);
    expect(countIn((await readFile(file)).toString())).to.equal(0);
    expect(await readdir(folder)).to.deep.equal(['dump.json']);
  });

  it('keeps the old state when the folder is read-only', async () => {
    const folder = await write({ 'dump.json': fileText(0) });
    const file = join(folder, 'dump.json');
    await chmod(file, 0o666);
    await chmod(folder, 0o555);
    // Permissions do not hold root back, so that it has to become somebody else.
    const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr } = spawnSync(process.execPath, argumentsOf(file, 1), identity);
    await chmod(folder, 0o700);
    expect(status).not.to.equal(0);
    expect(stderr.toString()).to.include(`cannot write ${file}`);
    expect(countIn((await readFile(file)).toString())).to.equal(0);
  });

  it('does not replace a file that is read-only', async () => {
    const folder = await write({ 'dump.json': fileText(0) });
    const file = join(folder, 'dump.json');
    await chmod(file, 0o444);
    await chmod(folder, 0o777);
    const identity = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { stderr } = spawnSync(process.execPath, argumentsOf(file, 1), identity);
    expect(stderr.toString()).to.include('it is read-only');
    expect(countIn((await readFile(file)).toString())).to.equal(0);
  });
});
