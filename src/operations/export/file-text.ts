import { OBJECT_KINDS, type ObjectKind } from '../../datastore/object-store.ts';
import { carryClusterInformation } from '../../ipam/migration/carry-cluster.ts';
import { entryPath, type EntryKind } from '../../ipam/migration/entry-path.ts';
import { HealingTally } from '../../ipam/migration/healing.ts';
import { LoweredCounts } from '../../ipam/migration/lowered-counts.ts';
import type { NodeNames } from '../../ipam/migration/node-names.ts';
import {
  MANIFEST_HASH_KEY,
  MANIFEST_KEY,
  type MigrationManifest,
} from '../../ipam/model/migration-manifest.ts';
import { stringifyJson } from '../../support/json.ts';
import { yamlText } from '../../support/yaml-text.ts';
import type { TextHash } from './export-options.ts';
import { carriedRows, exportedObjects, LISTED_IF_ANY, sourceObjects } from './export-rows.ts';
import type { ExportSource } from './export-source.ts';
import type { KindCounts } from './kind-counts.ts';

/** The line between two parts; no other line of the file ends so, for every text in it ends in a quote or a word. */
const SEPARATOR = '===\n';

/** Sections of the third part, in the order in which calicoctl reads them. */
const SECTIONS: readonly (readonly [name: string, kind: EntryKind])[] = [
  ['block_affinities', 'BlockAffinity'],
  ['blocks', 'IPAMBlock'],
  ['handles', 'IPAMHandle'],
];

/** Of a kind with more bytes than this, the rest goes into a further list: calicoctl reads lists up to 10 MiB. */
const LONGEST_LIST = 8 << 20;

/** Pieces are joined up to this length, in characters. */
const PIECE_LENGTH = 1 << 16;

/** What the text of a migration file is made of. */
export interface FileInputs {
  readonly source: ExportSource;
  readonly names: NodeNames;
  readonly hash: TextHash;
}

/** What was written, known once the text has been taken to its end. */
export interface WrittenFile {
  readonly counts: KindCounts;
  sha256: string | undefined;
}

/**
 * The text of a migration file, piece by piece, as calicoctl's import reads it, too.
 * Source: calicoctl datastore migrate export, order of parts, lists and keys.
 *
 * Departs from upstream: lists carry no revision, and the third part ends in a manifest.
 * @param written Is told the counts and the hash.
 */
export async function* migrationText(
  inputs: FileInputs,
  written: WrittenFile,
): AsyncGenerator<string> {
  let piece = '';
  for await (const text of hashed(inputs, written)) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* hashed(inputs: FileInputs, written: WrittenFile): AsyncGenerator<string> {
  const { source, hash } = inputs;
  for await (const text of content(inputs, written.counts)) {
    hash.update(text);
    yield text;
  }
  const manifest: Omit<MigrationManifest, 'sha256'> = {
    schemaVersion: 1,
    tool: source.context.toolVersion,
    revision: source.revision,
    counts: written.counts.toRecord(),
  };
  const open = `  "${MANIFEST_KEY}": ${stringifyJson(manifest).slice(0, -1)},`;
  hash.update(open);
  const sha256 = hash.digest('hex');
  written.sha256 = sha256;
  yield `${open}${MANIFEST_HASH_KEY}:"${sha256}"}\n}\n`;
}

/** Everything in front of the manifest. */
async function* content({ source, names }: FileInputs, counts: KindCounts): AsyncGenerator<string> {
  for (const kind of OBJECT_KINDS) yield* objectLists({ source, names, counts }, kind);
  yield SEPARATOR;
  yield `${stringifyJson(carryClusterInformation(source.cluster), 2)}\n`;
  yield SEPARATOR;
  yield '{\n';
  yield* entries({ source, names, counts });
}

interface Writing {
  readonly source: ExportSource;
  readonly names: NodeNames;
  readonly counts: KindCounts;
}

/** The list of a kind, or several when it is long; none for a kind that the source does not hold. */
async function* objectLists(
  { source, names, counts }: Writing,
  kind: ObjectKind,
): AsyncGenerator<string> {
  source.context.progress.step(`writing ${kind}`);
  const objects = await sourceObjects(source, kind);
  if (objects === undefined) return;
  counts.add(kind, 0);
  const list = new ListText(kind);
  for await (const { carried } of exportedObjects(objects, kind, names)) {
    if (carried === undefined) continue;
    counts.add(kind, 1);
    yield list.add(`- ${yamlText({ apiVersion: 'projectcalico.org/v3', kind, ...carried }, 2)}`);
  }
  if (counts.of(kind) > 0 || !LISTED_IF_ANY.has(kind)) yield list.end();
}

/** Documents of YAML with the items of one kind. */
class ListText {
  readonly #end: string;
  #length = 0;

  constructor(kind: ObjectKind) {
    this.#end = `kind: ${kind}List\nmetadata: {}\n---\n`;
  }

  add(item: string): string {
    const length = Buffer.byteLength(item);
    const isFull = this.#length > 0 && this.#length + length > LONGEST_LIST;
    const before = isFull ? this.#end : '';
    if (isFull) this.#length = 0;
    const head = this.#length === 0 ? `${HEAD}items:\n` : '';
    this.#length += length;
    return before + head + item;
  }

  end(): string {
    return this.#length === 0 ? `${HEAD}items: []\n${this.#end}` : this.#end;
  }
}

const HEAD = 'apiVersion: projectcalico.org/v3\n';

/** The sections of the third part, one row a line; an empty one is left out. */
async function* entries({ source, names, counts }: Writing): AsyncGenerator<string> {
  const rules = { names, tally: new HealingTally(), lowered: new LoweredCounts() };
  for (const [name, kind] of SECTIONS) {
    source.context.progress.step(`writing ${kind}`);
    counts.add(kind, 0);
    for await (const row of carriedRows(source, kind, rules)) {
      yield counts.of(kind) === 0 ? `  "${name}": [\n` : ',\n';
      yield `    ${entryText(kind, row)}`;
      counts.add(kind, 1);
    }
    if (counts.of(kind) > 0) yield '\n  ],\n';
  }
  counts.add('IPAMConfig', 0);
  for await (const row of carriedRows(source, 'IPAMConfig', rules)) {
    yield `  "config": ${entryText('IPAMConfig', row)},\n`;
    counts.add('IPAMConfig', 1);
  }
}

function entryText(
  kind: EntryKind,
  { entryName, value }: { readonly entryName: string; readonly value: unknown },
): string {
  return stringifyJson({ Key: entryPath(kind, entryName), Value: value, TTL: 0 });
}
