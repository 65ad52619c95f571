import {
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/support/json.ts';
import { rowPlurals, versionOf } from './plurals.ts';
import type { TraceForm } from './trace.ts';

/** Everything that a snapshot holds: objects by plural and name, or texts by their keys in etcd. */
export type SnapshotContents = ReadonlyMap<string, JsonValue>;

const RESOURCES = '/calico/resources/v3/projectcalico.org/';
const RESOURCE_KINDS = {
  ippools: 'IPPool',
  ipreservations: 'IPReservation',
  nodes: 'Node',
} as const;
const SECTIONS = {
  block_affinities: /^\/calico\/ipam\/v2\/(?:host|virtual)\/[^/]+\/ipv/,
  blocks: /^\/calico\/ipam\/v2\/assignment\//,
  handles: /^\/calico\/ipam\/v2\/handle\//,
} as const;
const CONFIG = '/calico/ipam/v2/config';

/** A file with these contents: a list of objects, or a migration file. Kinds without a row are known to be empty. */
export function snapshotText(contents: SnapshotContents, form: TraceForm): string {
  return form === 'etcd' ? migrationText(contents) : listText(contents, form);
}

function listText(contents: SnapshotContents, form: TraceForm): string {
  const plurals = [...rowPlurals(form), 'ippools', 'ipreservations', 'nodes'];
  const empty = plurals
    .filter((plural) => ![...contents.keys()].some((place) => place.startsWith(`${plural}/`)))
    .map((plural) => ({
      apiVersion: versionOf(plural, form),
      kind: `${kindText(plural)}List`,
      items: [],
    }));
  return stringifyJson(
    { apiVersion: 'v1', kind: 'List', items: [information(form), ...contents.values(), ...empty] },
    1,
  );
}

/** Says of which group the rows are, also while there is none. */
function information(form: TraceForm): JsonObject {
  return {
    apiVersion: versionOf('clusterinformations', form),
    kind: 'ClusterInformation',
    metadata: { name: 'default' },
    spec: {},
  };
}

function kindText(plural: string): string {
  const kinds: Readonly<Record<string, string>> = {
    ...RESOURCE_KINDS,
    ipamblocks: 'IPAMBlock',
    blockaffinities: 'BlockAffinity',
    ipamhandles: 'IPAMHandle',
    ipamconfigs: 'IPAMConfig',
    ipamconfigurations: 'IPAMConfiguration',
  };
  return kinds[plural] ?? '';
}

function migrationText(contents: SnapshotContents): string {
  const lists = Object.entries(RESOURCE_KINDS).map(([plural, kind]) => {
    const items = [...contents]
      .filter(([key]) => key.startsWith(`${RESOURCES}${plural}/`))
      .map(([, text]) => parseJson(text as string));
    return stringifyJson({ apiVersion: 'projectcalico.org/v3', kind: `${kind}List`, items });
  });
  const config = contents.get(CONFIG);
  const ipam: JsonObject = {
    ...Object.fromEntries(
      Object.entries(SECTIONS).map(([name, keys]) => [name, entriesOf(contents, keys)]),
    ),
    config: config === undefined ? null : entryOf(CONFIG, config),
  };
  return `${lists.join('\n---\n')}\n===\n${stringifyJson(information('etcd'))}\n===\n${stringifyJson(ipam, 1)}\n`;
}

function entriesOf(contents: SnapshotContents, keys: RegExp): JsonValue[] {
  return [...contents].filter(([key]) => keys.test(key)).map(([key, text]) => entryOf(key, text));
}

function entryOf(key: string, text: JsonValue): JsonObject {
  return { Key: key, Value: text === '' ? '' : parseJson(text as string), TTL: 0 };
}
