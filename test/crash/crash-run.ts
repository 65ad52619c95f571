import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { WritableDatastore, WritableRow } from '../../src/datastore/datastore.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { isSameRow } from '../../src/operations/undo/same-row.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../src/support/json.ts';
import { formatTime } from '../../src/support/time.ts';
import { rowsOf } from '../hammer/ground.ts';
import type { SeededRandom } from '../hammer/random.ts';
import { CHECK_OPTIONS, portsAt, reportText } from '../support/writing-runs.ts';
import { crashCluster } from './crash-cluster.ts';
import type { CrashPlace, OpenPlace } from './crash-places.ts';
import { type EndOfRun, type Killer, runUnder } from './killed-run.ts';

/** Commands that are killed. */
export const CRASH_COMMANDS = ['release', 'repair', 'restore'] as const;

/** One of {@link CRASH_COMMANDS}. */
export type CrashCommand = (typeof CRASH_COMMANDS)[number];

/** Rows and findings of a moment. */
interface Moment {
  readonly rows: readonly WritableRow[];
  readonly findings: readonly string[];
}

/** What a command that nobody kills makes of the cluster, and how many points there were to kill it. */
export interface Uninterrupted {
  readonly before: Moment;
  readonly after: Moment;
  readonly status: number | undefined;
  /** Lines of the undo file without its head: two for each write. */
  readonly points: number;
}

/** A cluster in which a command is about to be run. */
class Scene {
  readonly place: CrashPlace;
  readonly #folder: string;
  readonly #command: CrashCommand;

  constructor(place: CrashPlace, folder: string, command: CrashCommand) {
    this.place = place;
    this.#folder = folder;
    this.#command = command;
  }

  get undo(): string {
    return join(this.#folder, 'undo.jsonl');
  }

  /** Runs `ipam` with these words. */
  async run(words: readonly string[], undo: string, killer?: Killer): Promise<EndOfRun> {
    const args = ['ipam', ...words, '--yes', '--format', 'json', '--undo-file', undo];
    const env = { IPAMCTL_NOW: formatTime(this.place.now), HOME: this.#folder };
    return runUnder([...args, ...this.place.flags], env, killer);
  }

  /** Runs the command. */
  async runCommand(killer?: Killer): Promise<EndOfRun> {
    const report = join(this.#folder, 'report.json');
    const recorded = join(this.#folder, 'recorded.jsonl');
    const words = {
      release: ['release', '--from-report', report],
      repair: ['repair'],
      restore: ['restore', recorded],
    }[this.#command];
    return this.run(words, this.undo, killer);
  }

  /** Makes what the command reads: a report, and for a restore the undo file of a release. */
  async prepare(): Promise<void> {
    const report = join(this.#folder, 'report.json');
    const text = await this.#with((datastore) => reportText(portsAt(datastore, this.#time)));
    writeFileSync(report, text);
    if (this.#command !== 'restore') return;
    const recorded = join(this.#folder, 'recorded.jsonl');
    const { status, stderr } = await this.run(['release', '--from-report', report], recorded);
    expect(status, stderr).to.equal(0);
  }

  async moment(): Promise<Moment> {
    return this.#with(async (datastore) => {
      const rows = await Promise.all([
        rowsOf(datastore, 'IPAMBlock'),
        rowsOf(datastore, 'IPAMHandle'),
        rowsOf(datastore, 'BlockAffinity'),
      ]);
      const { document } = await runCheck(portsAt(datastore, this.#time), CHECK_OPTIONS);
      const findings = document.findings.map(({ code, subject }) =>
        stringifyJson([code, subject.kind, subject.name, subject.address ?? null]),
      );
      return { rows: rows.flat().sort(byName), findings: findings.sort() };
    });
  }

  get #time(): string {
    return formatTime(this.place.now);
  }

  async #with<T>(use: (datastore: WritableDatastore) => Promise<T>): Promise<T> {
    const datastore = await this.place.open();
    try {
      return await use(datastore);
    } finally {
      await datastore.close();
    }
  }
}

async function openScene(
  openPlace: OpenPlace,
  folder: string,
  command: CrashCommand,
): Promise<Scene> {
  mkdirSync(folder, { recursive: true });
  const scene = new Scene(await openPlace(crashCluster(), folder), folder, command);
  await scene.prepare();
  return scene;
}

/** Runs a command to its end. */
export async function runWhole(
  openPlace: OpenPlace,
  folder: string,
  command: CrashCommand,
): Promise<Uninterrupted> {
  const scene = await openScene(openPlace, folder, command);
  try {
    const before = await scene.moment();
    const { status, stderr } = await scene.runCommand();
    expect(existsSync(scene.undo), stderr).to.equal(true);
    const points = readFileSync(scene.undo, 'utf8').split('\n').length - 2;
    return { before, after: await scene.moment(), status, points };
  } finally {
    await scene.place.close();
  }
}

/** Kills a command at a point, runs it again and compares; then restores and compares. True when it was killed indeed. */
export async function verifyPoint(
  {
    openPlace,
    folder,
    command,
    random,
  }: {
    readonly openPlace: OpenPlace;
    readonly folder: string;
    readonly command: CrashCommand;
    readonly random: SeededRandom;
  },
  whole: Uninterrupted,
  point: number,
): Promise<boolean> {
  const scene = await openScene(openPlace, folder, command);
  const where = `${command} killed at point ${point}`;
  try {
    const first = await scene.runCommand(scene.place.killerAt(point, scene.undo));
    if (random.isLucky(0.5)) cutResult(scene.undo, random);
    const again = await scene.runCommand();
    assertSame(await scene.moment(), whole.after, `${where} and run again: ${again.stderr}`);
    assertNoFailure(again, where);
    if (!existsSync(scene.undo)) return first.isKilled;
    const restored = await scene.run(['restore', scene.undo], join(folder, 'second.jsonl'));
    assertSame(await scene.moment(), whole.before, `${where} and restored: ${restored.stderr}`);
    return first.isKilled;
  } finally {
    await scene.place.close();
  }
}

function assertNoFailure({ stdout }: EndOfRun, where: string): void {
  const { totals } = parseJson(stdout) as { totals: JsonObject };
  expect(totals['failed'], `failures after ${where}`).to.equal(0);
}

/** Cuts a result off in its middle, as if the kill had come while it was written. */
function cutResult(undo: string, random: SeededRandom): void {
  if (!existsSync(undo)) return;
  const text = readFileSync(undo, 'utf8');
  const last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
  if (!last.includes('"result"')) return;
  truncateSync(undo, Buffer.byteLength(text) - 1 - random.below(last.length - 1));
}

function assertSame(now: Moment, expected: Moment, what: string): void {
  const names = ({ rows }: Moment): readonly string[] =>
    rows.map(({ kind, key }) => `${kind} ${key.name}`);
  expect(names(now), what).to.deep.equal(names(expected));
  const changed = now.rows.filter((row, at) => !isSameRow(row, expected.rows[at]));
  expect(
    changed.map(({ kind, key }) => `${kind} ${key.name}`),
    what,
  ).to.deep.equal([]);
  expect(now.findings, what).to.deep.equal(expected.findings);
}

function byName(a: WritableRow, b: WritableRow): number {
  return `${a.kind} ${a.key.name}` < `${b.kind} ${b.key.name}` ? -1 : 1;
}
