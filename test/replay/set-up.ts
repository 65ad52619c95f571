import { cidrsOverlap, parseCidr } from '../../src/net/cidr.ts';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
  stringifyJson,
} from '../../src/support/json.ts';
import { memberOf, textOf } from './json-values.ts';
import { entryOf, versionOf } from './plurals.ts';
import { mergePatch } from './merge-patch.ts';
import type { Stage } from './stage.ts';

/** What a set-up step answers; undefined for success. */
export type SetUpAnswer = JsonValue | undefined;

type SetUp = (stage: Stage, args: JsonObject) => Promise<SetUpAnswer>;

const LONG_AGO = '2020-01-01T00:00:00Z';
const POOL_FIELDS = [
  'disabled',
  'blockSize',
  'nodeSelector',
  'namespaceSelector',
  'allowedUses',
  'assignmentMode',
] as const;

/** Steps that set a scenario up, by name. */
export const SET_UP: Readonly<Record<string, SetUp>> = {
  createNode: async (stage, { name, labels }) => {
    await create(stage, 'nodes', {
      metadata: { name, labels: labels ?? {} },
      spec: {},
    } as JsonObject);
    return undefined;
  },
  labelNode: async (stage, { name, labels }) => {
    const object = await readNamed(stage, 'nodes', textOf(name));
    const metadata = memberOf(object, 'metadata');
    const merged = { ...memberOf(metadata, 'labels'), ...(labels as JsonObject) };
    const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''));
    await write(stage, 'nodes', { ...object, metadata: { ...metadata, labels: kept } });
    return undefined;
  },
  deleteNode: async (stage, { name }) => remove(stage, 'nodes', textOf(name)),
  createPool,
  updatePool: async (stage, { name, ...fields }) => {
    const object = await readNamed(stage, 'ippools', textOf(name));
    await write(stage, 'ippools', {
      ...object,
      spec: orderedSpec({ ...memberOf(object, 'spec'), ...fields }),
    });
    return undefined;
  },
  removePoolRow: async (stage, { name }) => remove(stage, 'ippools', textOf(name)),
  createReservation: async (stage, { name, cidrs }) => {
    await create(stage, 'ipreservations', {
      metadata: { name },
      spec: { reservedCIDRs: cidrs },
    } as JsonObject);
    return undefined;
  },
  deleteReservation: async (stage, { name }) => remove(stage, 'ipreservations', textOf(name)),
  wait: async (stage, { seconds }) => {
    await stage.clock.wait(Number(seconds));
    return undefined;
  },
  ageBlock,
  putObject: async (stage, { resource, object }) => {
    await stage.writeObject(textOf(resource), object as JsonObject);
    return undefined;
  },
  patchObject: async (stage, { resource, name, patch }) => {
    const plural = textOf(resource).replace(/\/status$/, '');
    const place = { plural, name: textOf(name).replace(/\/status$/, '') };
    const object = (await stage.readObject(place)) ?? {};
    await stage.writeObject(plural, mergePatch(object, patch ?? {}) as JsonObject);
    return undefined;
  },
  deleteObject: async (stage, { resource, name }) => {
    await stage.removeObject({ plural: textOf(resource), name: textOf(name) });
    return undefined;
  },
  putKey: async (stage, { key, value }) => {
    await stage.writeEntry(textOf(key), textOf(value));
    return undefined;
  },
  deleteKey: async (stage, { key }) => {
    await stage.removeEntry(textOf(key));
    return undefined;
  },
};

/** Like Calico's client, which refuses a pool over blocks of another size and fills in what is left out. */
async function createPool(stage: Stage, { name, ...fields }: JsonObject): Promise<SetUpAnswer> {
  const isV6 = textOf(fields['cidr']).includes(':');
  const blockSize = Number(fields['blockSize'] ?? (isV6 ? 122 : 26));
  if (await overlapsOtherBlocks(stage, textOf(fields['cidr']), blockSize))
    return { error: { category: 'validation' } };
  const defaults = {
    nodeSelector: 'all()',
    allowedUses: ['Workload', 'Tunnel'],
    assignmentMode: 'Automatic',
  };
  const spec = orderedSpec({ ...defaults, ...fields, blockSize });
  await create(stage, 'ippools', { metadata: { name } as JsonObject, spec });
  return undefined;
}

function orderedSpec(fields: JsonObject): JsonObject {
  const spec: JsonObject = { cidr: fields['cidr'] ?? '', vxlanMode: 'Never', ipipMode: 'Never' };
  for (const name of POOL_FIELDS) {
    const value = fields[name];
    if (value !== undefined && value !== false && value !== '') spec[name] = value;
  }
  return spec;
}

async function overlapsOtherBlocks(
  stage: Stage,
  text: string,
  blockSize: number,
): Promise<boolean> {
  const pool = parseCidr(text);
  for (const at of (await stage.rows()).keys()) {
    const block = parseCidr(blockTextOf(at));
    if (pool && block && cidrsOverlap(pool, block) && block.length !== blockSize) return true;
  }
  return false;
}

/** The prefix of a block in its place; IPv4 only, where names can be read back. */
function blockTextOf(at: string): string {
  const match = /^ipamblocks\/(\d+)-(\d+)-(\d+)-(\d+)-(\d+)$/.exec(at);
  if (match) return `${match.slice(1, 5).join('.')}/${match[5] ?? ''}`;
  return (/^\/calico\/ipam\/v2\/assignment\/ipv4\/block\/(.*)$/.exec(at)?.[1] ?? '').replace(
    '-',
    '/',
  );
}

async function ageBlock(stage: Stage, { cidr }: JsonObject): Promise<SetUpAnswer> {
  if (stage.form === 'etcd') {
    const key = `/calico/ipam/v2/assignment/ipv${textOf(cidr).includes(':') ? 6 : 4}/block/${textOf(cidr).replace('/', '-')}`;
    const text = (await stage.readEntry(key)) ?? '';
    await stage.writeEntry(
      key,
      text.replace(/"affinity_claim_time":"[^"]*"/, `"affinity_claim_time":"${LONG_AGO}"`),
    );
    return undefined;
  }
  const name = textOf(cidr).replaceAll(/[.:/]/g, '-');
  const object = (await stage.readObject({ plural: 'ipamblocks', name })) as JsonObject;
  const spec = { ...memberOf(object, 'spec'), affinityClaimTime: LONG_AGO };
  await stage.writeObject('ipamblocks', { ...object, spec });
  return undefined;
}

async function create(stage: Stage, plural: string, object: JsonObject): Promise<void> {
  const kind = { nodes: 'Node', ippools: 'IPPool', ipreservations: 'IPReservation' }[plural] ?? '';
  const apiVersion = versionOf(plural, stage.form);
  const metadata = memberOf(object, 'metadata');
  const stamps = {
    uid: '11111111-2222-4333-8444-555555555555',
    creationTimestamp: new Date(stage.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
  };
  const whole = stage.form === 'etcd' ? { ...metadata, ...stamps } : metadata;
  await write(stage, plural, { kind, apiVersion, metadata: whole, spec: object['spec'] ?? {} });
}

async function write(stage: Stage, plural: string, object: JsonObject): Promise<void> {
  const { name } = memberOf(object, 'metadata');
  if (stage.form === 'etcd')
    await stage.writeEntry(entryOf(plural, textOf(name)), stringifyJson(object));
  else await stage.writeObject(plural, object);
}

/** Reads an object as the stage keeps it. */
export async function readNamed(stage: Stage, plural: string, name: string): Promise<JsonObject> {
  if (stage.form !== 'etcd') return (await stage.readObject({ plural, name })) as JsonObject;
  return parseJson((await stage.readEntry(entryOf(plural, name))) ?? '{}') as JsonObject;
}

async function remove(stage: Stage, plural: string, name: string): Promise<undefined> {
  if (stage.form === 'etcd') await stage.removeEntry(entryOf(plural, name));
  else await stage.removeObject({ plural, name });
}
