import type { Finding } from '../../check/finding.ts';
import { RULES } from '../../check/registry.ts';
import { reportFindings, runRules } from '../../check/run-rules.ts';
import type { MigrationFile, MigrationSource } from '../../datastore/migration-file.ts';
import type { ObjectKind } from '../../datastore/object-store.ts';
import { DataError } from '../../errors/data-error.ts';
import type { ImportedRow } from '../../ipam/migration/import-equal.ts';
import { nameProblems, objectNameOf } from '../../ipam/migration/import-names.ts';
import type { JsonObject, ResourceKind } from '../../ipam/model/resource.ts';
import type { RowKeys } from '../../ipam/model/row-keys.ts';
import { isReadable, type Row } from '../../ipam/model/row.ts';
import type { ClusterState } from '../../ipam/state/cluster-state.ts';
import type { OperationContext } from '../context.ts';
import { loadClusterState } from '../load-cluster-state.ts';
import { objectsByKind } from './file-objects.ts';

/** Kinds of rows in the third part, in the order in which they are written. */
export const ROW_KINDS = ['BlockAffinity', 'IPAMBlock', 'IPAMHandle', 'IPAMConfig'] as const;

/** One of {@link ROW_KINDS}. */
export type RowKind = (typeof ROW_KINDS)[number];

/** What a migration file holds, verified and in the form of the target. */
export interface FileContents {
  /** Rows under the keys of the target. */
  readonly rows: ReadonlyMap<RowKind, readonly ImportedRow[]>;
  /** Objects of the first part, each once, reduced to what is created. */
  readonly objects: ReadonlyMap<ObjectKind, readonly JsonObject[]>;
  /** Kinds that the file lists, be it with nothing. */
  readonly lists: ReadonlySet<string>;
  readonly clusterInformation: JsonObject;
  readonly state: ClusterState;
  /** What is imported as it is although it is not right, and what is not imported. */
  readonly notes: readonly string[];
}

/** Findings by which a file is broken. */
const BROKEN: ReadonlySet<string> = new Set([
  'invalid-block',
  'unreadable-object',
  'block-overlap',
]);

/** Findings that a file may have: the same stood in the cluster that it came from. */
const STRAY: ReadonlySet<string> = new Set([
  'orphan-handle',
  'missing-handle',
  'handle-count-mismatch',
  'affinity-without-block',
  'block-without-affinity',
  'conflicting-affinity',
  'unowned-empty-block',
  'block-outside-pools',
  'block-size-mismatch',
  'soft-deleted-object',
  'configuration-conflict',
  'overlapping-pools',
]);

const KINDS: readonly ResourceKind[] = [
  'ClusterInformation',
  'IPAMConfig',
  'IPPool',
  'IPReservation',
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
];

/** Problems that the message names; the details have more. */
const NAMED = 20;
const DETAILED = 1000;
/** Subjects that a note names. */
const EXAMPLES = 5;

/**
 * Verifies a migration file as a whole and takes its contents apart.
 * @param keys Names of rows in the target.
 * @throws {@link DataError} listing everything that is wrong with it.
 */
export async function readContents(
  context: OperationContext,
  source: MigrationSource,
  keys: RowKeys,
): Promise<FileContents> {
  context.progress.step(`verifying ${source.name}`);
  const found: ImportedRow[] = [];
  const state = await loadClusterState(
    { ...context, datastore: source.rows },
    {
      kinds: KINDS,
      onRow: (row) => {
        if (isImported(row)) found.push(row);
      },
    },
  );
  const findings = findingsOf(state, context.clock.now());
  const problems = [
    ...manifestProblems(source),
    ...findings.filter(({ code }) => BROKEN.has(code)).map(({ reason }) => reason),
    ...nameProblems(found, keys),
  ];
  const { objects, foreign } = objectsByKind(source.file, problems);
  if (problems.length > 0) throw brokenFile(source.name, problems);
  return {
    rows: rowsByKind(found, keys),
    objects,
    lists: new Set(source.file.lists.map(({ kind }) => kind)),
    clusterInformation: source.file.clusterInformation,
    state,
    notes: [
      ...strayNotes(findings),
      ...(foreign.size === 0
        ? []
        : [`Not imported, since nothing is known of these kinds: ${[...foreign].join(', ')}.`]),
    ],
  };
}

/** What the check finds in the file, of the rules that need nothing but the file. */
function findingsOf(state: ClusterState, now: number): readonly Finding[] {
  const rules = RULES.filter(({ code }) => BROKEN.has(code) || STRAY.has(code));
  return reportFindings(runRules(rules, state, { now, minAgeMs: 0 }).results);
}

/** The error for a file that must not be imported, with everything that is wrong with it. */
export function brokenFile(name: string, problems: readonly string[]): DataError {
  const shown = problems.slice(0, NAMED).map((problem) => `\n- ${problem}`);
  const rest = problems.length > NAMED ? `\nand ${problems.length - NAMED} more` : '';
  return new DataError(`${name} cannot be imported; nothing was written${shown.join('')}${rest}`, {
    hint: 'mend the source, see ipamctl ipam check there, and export again',
    details: { file: name, count: problems.length, problems: problems.slice(0, DETAILED) },
  });
}

function isImported(row: Row): row is ImportedRow {
  return isReadable(row) && (ROW_KINDS as readonly string[]).includes(row.kind);
}

function rowsByKind(
  rows: readonly ImportedRow[],
  keys: RowKeys,
): ReadonlyMap<RowKind, readonly ImportedRow[]> {
  const byKind = new Map<RowKind, ImportedRow[]>(ROW_KINDS.map((kind) => [kind, []]));
  for (const row of rows) byKind.get(row.kind)?.push(asNew(row, keys));
  return byKind;
}

/** The row as it is created in the target: its own revision, labels and stored form are those of the source. */
function asNew(row: ImportedRow, keys: RowKeys): ImportedRow {
  const { revision: _revision, uid: _uid, object: _object, entry: _entry, ...fields } = row;
  return { ...fields, key: { name: objectNameOf(row, keys) } };
}

function manifestProblems({ file, digestBeforeHash }: MigrationSource): readonly string[] {
  const { manifest } = file;
  if (manifest === undefined) return [];
  if (manifest.sha256 !== digestBeforeHash) {
    return ['the file is not what its manifest says: its SHA-256 is another one'];
  }
  const counts = countsOf(file);
  return Object.entries(manifest.counts).flatMap(([kind, count]) => {
    const found = counts.get(kind) ?? 0;
    return found === count ? [] : [`the manifest counts ${count} ${kind}, the file holds ${found}`];
  });
}

/** How many objects of each kind the file holds, and entries by the kind of their rows. */
function countsOf({ objects, sections }: MigrationFile): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(Object.entries(sections));
  for (const { kind } of objects) {
    if (typeof kind === 'string') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function strayNotes(findings: readonly Finding[]): readonly string[] {
  const strays = findings.filter(({ code }) => STRAY.has(code));
  return [...Map.groupBy(strays, ({ code }) => code)].map(([code, of]) =>
    strayNote(
      code,
      of.map(({ reason }) => reason),
    ),
  );
}

function strayNote(code: string, reasons: readonly string[]): string {
  const rest = reasons.length > EXAMPLES ? ` And ${reasons.length - EXAMPLES} more.` : '';
  return `Imported as it is: ${reasons.length} × ${code}. ${reasons.slice(0, EXAMPLES).join(' ')}${rest}`;
}

/** Whether the file holds no rows of IPAM. */
export function lacksRows({ rows }: FileContents): boolean {
  return [...rows.values()].every((of) => of.length === 0);
}
