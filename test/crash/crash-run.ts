import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { WritableDatastore, WritableRow } from '../../src/datastore/datastore.ts';
import { planRepair } from '../../src/operations/repair-findings.ts';
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
export const CRASH_COMMANDS = ['release', 'repair', 'restore', 'gc'] as const;

/** One of {@link CRASH_COMMANDS}. */
export type CrashCommand = (typeof CRASH_COMMANDS)[number];

/** Faults of a handle that is lowered after its blocks. */
const COUNTED_LATE: ReadonlySet<string> = new Set(['handle-count-mismatch', 'orphan-handle']);

/** Runs after which a collector must be done. */
const MOST_RUNS = 5;

/** Rows and findings of a moment. */
interface Moment {
  readonly rows: readonly WritableRow[];
  readonly findings: readonly string[];
}

/** What a command that nobody kills makes of the cluster, and how many points there were to kill it. */
export interface Uninterrupted {
  readonly before: Moment;
  readonly after: Moment;
  /** After that and the repair of handles. */
  readonly repaired: Moment;
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

  /** Runs `ipam` with these words, and with an undo file if one is named. */
  async run(
    words: readonly string[],
    undo: string | undefined,
    killer?: Killer,
  ): Promise<EndOfRun> {
    const recording = undo === undefined ? [] : ['--undo-file', undo];
    const args = ['ipam', ...words, '--yes', '--format', 'json', ...recording];
    const env = { IPAMCTL_NOW: formatTime(this.place.now), HOME: this.#folder };
    return runUnder([...args, ...this.place.flags], env, killer);
  }

  /** Runs the command; it writes an undo file unless said otherwise. */
  async runCommand(killer?: Killer, isRecorded = true): Promise<EndOfRun> {
    const report = join(this.#folder, 'report.json');
    const recorded = join(this.#folder, 'recorded.jsonl');
    const words = {
      release: ['release', '--from-report', report],
      repair: ['repair'],
      restore: ['restore', recorded],
      gc: ['gc', '--once', '--leak-grace', '1s'],
    }[this.#command];
    return this.run(words, isRecorded ? this.undo : undefined, killer);
  }

  /**
   * Runs the command once more, a collector until it finds nothing to do: what one of its runs empties the next one may
   * give up.
   */
  async finish(isRecorded = true): Promise<EndOfRun> {
    let end = await this.runCommand(undefined, isRecorded);
    for (let run = 1; this.#command === 'gc' && totalsOf(end)['applied'] !== 0; run++) {
      expect(run, end.stdout).to.be.lessThan(MOST_RUNS);
      end = await this.runCommand(undefined, isRecorded);
    }
    return end;
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

  /** Repairs what a run without undo file cannot know of: handles that count too much. */
  async repairHandles(): Promise<void> {
    const only = [...COUNTED_LATE];
    const options = { only, reports: [], minAgeMs: 300_000, isMismatchAllowed: false };
    await this.#with(async (datastore) => {
      const mutation = await planRepair(portsAt(datastore, this.#time), options);
      const { document, error } = await mutation.apply();
      expect(document.totals.failed, error?.message).to.equal(0);
    });
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
  // A collector does nothing on a locked cluster.
  const objects = crashCluster(command !== 'gc');
  const scene = new Scene(await openPlace(objects, folder), folder, command);
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
    if (command === 'gc') await scene.finish();
    const after = await scene.moment();
    await scene.repairHandles();
    return { before, after, repaired: await scene.moment(), status, points };
  } finally {
    await scene.place.close();
  }
}

/** What is killed, and where. */
export interface CrashCase {
  readonly openPlace: OpenPlace;
  readonly folder: string;
  readonly command: CrashCommand;
  readonly random: SeededRandom;
}

/** Kills a command at a point, runs it again and compares; then restores and compares. True when it was killed indeed. */
export async function verifyPoint(
  { openPlace, folder, command, random }: CrashCase,
  whole: Uninterrupted,
  point: number,
): Promise<boolean> {
  const scene = await openScene(openPlace, folder, command);
  const where = `${command} killed at point ${point}`;
  try {
    const first = await scene.runCommand(scene.place.killerAt(point, scene.undo));
    if (random.isLucky(0.5)) cutResult(scene.undo, random);
    const again = await scene.finish();
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

/**
 * The same without undo files, and so without restoring. A handle is lowered after its blocks, and nothing tells the next
 * run of it: that alone may differ, and is repaired before the states are compared.
 */
export async function verifyUnrecordedPoint(
  { openPlace, folder, command }: CrashCase,
  whole: Uninterrupted,
  point: number,
): Promise<boolean> {
  const scene = await openScene(openPlace, folder, command);
  const where = `${command} without undo file killed at point ${point}`;
  try {
    const first = await scene.runCommand(scene.place.killerAt(point, scene.undo), false);
    const again = await scene.finish(false);
    assertNoFailure(again, where);
    const { findings } = await scene.moment();
    const known = new Set(whole.after.findings);
    const added = findings.filter((finding) => !known.has(finding)).map(codeOf);
    expect(
      added.filter((code) => !COUNTED_LATE.has(code)),
      where,
    ).to.deep.equal([]);
    // What the uninterrupted run leaves of such handles goes, too.
    await scene.repairHandles();
    assertSame(await scene.moment(), whole.repaired, `${where} and run again: ${again.stderr}`);
    return first.isKilled;
  } finally {
    await scene.place.close();
  }
}

function codeOf(finding: string): string {
  return String((parseJson(finding) as readonly unknown[])[0]);
}

function assertNoFailure(end: EndOfRun, where: string): void {
  expect(totalsOf(end)['failed'], `failures after ${where}`).to.equal(0);
}

function totalsOf({ stdout, stderr }: EndOfRun): JsonObject {
  expect(stdout, stderr).not.to.equal('');
  return (parseJson(stdout) as { totals: JsonObject }).totals;
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
