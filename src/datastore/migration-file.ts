import { createHash } from 'node:crypto';
import { DataError } from '../errors/data-error.ts';
import {
  MANIFEST_HASH_KEY,
  MANIFEST_KEY,
  type MigrationManifest,
} from '../ipam/model/migration-manifest.ts';
import type { JsonObject, JsonValue } from '../ipam/model/resource.ts';
import { parseJson } from '../support/json.ts';
import { parseEntryPath } from './codec/entry-path.ts';
import { isObject } from './codec/fields.ts';
import type { Datastore } from './datastore.ts';
import { quoteValue } from './codec/misreading.ts';

/** One entry of the IPAM part: a path of the etcd layout and its value. */
export interface MigrationEntry {
  readonly path: string;
  readonly value: JsonValue;
}

/** A type of which the file holds a list, be it an empty one. */
export interface MigrationList {
  readonly apiVersion: string;
  /** Kind of the items, such as `IPPool`. */
  readonly kind: string;
}

/** A migration file taken apart; nothing in it is judged yet. */
export interface MigrationFile {
  /** Objects of the first part, in order, each with its type. */
  readonly objects: readonly JsonObject[];
  /** Types that the first part lists. Whatever the IPAM part can hold is known completely in any case. */
  readonly lists: readonly MigrationList[];
  readonly clusterInformation: JsonObject;
  /** Affinities, blocks, handles, then the configuration. */
  readonly entries: readonly MigrationEntry[];
  /** How many entries each section holds, by the kind of its rows. */
  readonly sections: Readonly<Record<string, number>>;
  /** What the program that wrote the file says of it; calicoctl's files have none. */
  readonly manifest?: FileManifest | undefined;
}

/** What a file is verified by. */
export type FileManifest = Pick<MigrationManifest, 'counts' | 'sha256'>;

/** A migration file that was opened to be imported. */
export interface MigrationSource {
  /** What to call the file in messages. */
  readonly name: string;
  /** {@link digestOfMigration}. */
  readonly digest: string;
  /** {@link digestBeforeHash}. */
  readonly digestBeforeHash?: string | undefined;
  readonly file: MigrationFile;
  /** Rows of the file, under their keys in etcd. */
  readonly rows: Datastore;
}

const PARTS = [
  'part 1 (lists of resources)',
  'part 2 (ClusterInformation)',
  'part 3 (IPAM data)',
] as const;

/** A line that ends a part. Texts inside YAML are indented, and JSON has none, so no other line looks like it. */
export const SEPARATOR = /^===\r?$/m;

/** Sections of the IPAM part, with the kind of row that each holds. */
export const SECTIONS = [
  ['block_affinities', 'BlockAffinity'],
  ['blocks', 'IPAMBlock'],
  ['handles', 'IPAMHandle'],
  ['config', 'IPAMConfig'],
] as const;

/** Whether the text is a migration file or the beginning of one that got as far as its second part. */
export function isMigrationFile(text: string): boolean {
  return SEPARATOR.test(text);
}

/**
 * Takes a migration file of `datastore migrate export` apart, ours or calicoctl's.
 *
 * @param parseYamlDocuments Parses a stream of YAML documents, integers exact; an empty document may be null.
 * @throws {@link DataError} when a part is missing, cut or not what it should be; the message names the part.
 * Source: calicoctl datastore migrate export, order of parts and keys.
 */
export function parseMigrationFile(
  text: string,
  parseYamlDocuments: (text: string) => readonly JsonValue[],
): MigrationFile {
  const parts = text.split(SEPARATOR);
  if (parts.length !== PARTS.length) throw wrongPartCount(parts.length);
  const [resources = '', information = '', ipam = ''] = parts;
  const rows = parseJsonPart(PARTS[2], ipam);
  const manifest = readManifest(rows[MANIFEST_KEY]);
  const read = readResources(resources, parseYamlDocuments);
  // An export that was not allowed to read writes null for every list and nothing of the cluster.
  const isBlank = read.lists.length === 0 && /^\s*(null\s*)?$/.test(information);
  return {
    ...read,
    clusterInformation: isBlank ? {} : parseJsonPart(PARTS[1], information),
    entries: readEntries(rows),
    sections: sectionCounts(rows),
    ...(manifest && { manifest }),
  };
}

/**
 * SHA-256 of a migration file up to where its manifest names it, in hexadecimal; undefined without a manifest. Line breaks
 * count as LF, so that a file that was converted on its way is still the same.
 */
export function digestBeforeHash(text: string): string | undefined {
  const end = text.lastIndexOf(MANIFEST_HASH_KEY);
  if (end < 0) return undefined;
  return digestOfMigration(text.slice(0, end));
}

/** SHA-256 of a migration file, by which a run knows its file again; line breaks count as LF. */
export function digestOfMigration(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

function readManifest(value: JsonValue | undefined): FileManifest | undefined {
  if (value === undefined || value === null) return undefined;
  const { counts, sha256 } = isObject(value) ? value : {};
  if (typeof sha256 !== 'string' || !isObject(counts)) {
    throw partError(PARTS[2], 'has a manifest without counts and hash');
  }
  const numbers = Object.entries(counts).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return { counts: Object.fromEntries(numbers), sha256 };
}

function wrongPartCount(count: number): DataError {
  const missing = PARTS[count];
  if (missing === undefined) {
    return new DataError(`a migration file has three parts, this one has ${count}`);
  }
  return new DataError(`the migration file ends before its ${missing}`, {
    hint: 'The file may be cut; export again.',
  });
}

function partError(part: string, problem: string, cause?: unknown): DataError {
  return new DataError(`${part} of the migration file ${problem}`, {
    cause,
    hint: 'The file may be cut; export again.',
  });
}

function parseJsonPart(part: string, text: string): JsonObject {
  if (text.trim() === '') throw partError(part, 'is empty');
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    throw partError(part, `is no JSON: ${messageOf(error)}`, error);
  }
  if (!isObject(value)) throw partError(part, 'is no JSON object');
  return value;
}

function readResources(
  text: string,
  parseYamlDocuments: (text: string) => readonly JsonValue[],
): Pick<MigrationFile, 'objects' | 'lists'> {
  const objects: JsonObject[] = [];
  const lists: MigrationList[] = [];
  for (const [i, document] of parseDocuments(text, parseYamlDocuments).entries()) {
    if (document === null) continue;
    const list = isObject(document) ? readList(document) : undefined;
    if (!list) throw partError(PARTS[0], `holds no list of resources in document ${i + 1}`);
    lists.push(list.type);
    for (const item of list.items) objects.push({ ...list.type, ...item });
  }
  return { objects, lists };
}

function parseDocuments(
  text: string,
  parseYamlDocuments: (text: string) => readonly JsonValue[],
): readonly JsonValue[] {
  try {
    return parseYamlDocuments(text);
  } catch (error) {
    throw partError(PARTS[0], `is no YAML: ${messageOf(error)}`, error);
  }
}

/** A typed list; items say their type again, but need not. Undefined when it is none. */
function readList(
  document: JsonObject,
): { readonly type: MigrationList; readonly items: readonly JsonObject[] } | undefined {
  const { apiVersion, kind, items } = document;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !kind.endsWith('List')) {
    return undefined;
  }
  const list = items ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) return undefined;
  return { type: { apiVersion, kind: kind.slice(0, -'List'.length) }, items: list };
}

function readEntries(part: JsonObject): MigrationEntry[] {
  const entries: MigrationEntry[] = [];
  for (const [name, kind] of SECTIONS) {
    const section = part[name] ?? [];
    const isConfig = kind === 'IPAMConfig';
    if (!isConfig && !Array.isArray(section)) throw partError(PARTS[2], `has no list in ${name}`);
    const list = Array.isArray(section) ? section : [section];
    for (const [i, entry] of list.entries()) {
      const place = isConfig ? name : `${name}[${i}]`;
      entries.push(readEntry(entry, { place, kind }));
    }
  }
  return entries;
}

function sectionCounts(part: JsonObject): Readonly<Record<string, number>> {
  return Object.fromEntries(
    SECTIONS.map(([name, kind]) => {
      const section = part[name] ?? [];
      return [kind, Array.isArray(section) ? section.length : 1];
    }),
  );
}

/** An entry whose key is none of its section would be lost without a word, so it is an error and no damaged row. */
function readEntry(
  entry: JsonValue,
  { place, kind }: { readonly place: string; readonly kind: string },
): MigrationEntry {
  const path = isObject(entry) ? entry['Key'] : undefined;
  if (!isObject(entry) || typeof path !== 'string') {
    throw partError(PARTS[2], `has no key in ${place}`);
  }
  if (parseEntryPath(path)?.kind !== kind) {
    throw partError(PARTS[2], `has a key of another kind in ${place}: ${quoteValue(path)}`);
  }
  return { path, value: entry['Value'] ?? null };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
