import { ConfigError } from '../../errors/config-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import type { Sourced } from '../connection.ts';
import { shownUid } from '../../ipam/model/uid.ts';
import { type Discovery, isServed } from './discovery.ts';
import { requestText } from './map-error.ts';
import { CALICO_GROUPS, type CalicoGroup, kindPath, objectPath } from './paths.ts';
import { readJson } from './read-json.ts';
import type { Transport } from './transport.ts';

const [OLDER, NEWER] = CALICO_GROUPS;

/** What the choice depends on. */
export interface GroupQuestion {
  readonly transport: Transport;
  readonly discovery: Discovery;
  readonly configured?: Sourced<string> | undefined;
  /** Group for a server that serves neither; it is refused when absent. */
  readonly ifAbsent?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Chooses the API group in which the cluster keeps Calico's data: one that serves IPAM blocks. Where only one does there
 * is nothing to ask. Where both do, the group that holds the ClusterInformation is taken, and a group that was configured
 * must hold it.
 *
 * Departs from upstream: a group that is not served, that is empty beside a full one, or that cannot be told from the
 * other is refused, where upstream shows an empty cluster.
 * Source: Calico libcalico-go, lib/apis/crd.projectcalico.org/v1 and lib/backend, choice of the API group.
 * @throws {@link ConfigError} when the group does not fit the cluster.
 */
export async function chooseGroup(question: GroupQuestion): Promise<CalicoGroup> {
  const { configured } = question;
  const wanted = configured && configured.value !== '' ? groupOf(configured.value) : undefined;
  const served = servedGroups(question.discovery);
  // A server that hides its groups leaves only what upstream would take.
  if (!served) return wanted ?? OLDER;
  if (served.length === 0) return groupOfEmpty(wanted, question);
  if (wanted && !served.includes(wanted)) throw notServed(wanted, served, question);
  if (served.length === 1) return served[0] ?? OLDER;
  return wanted ? assertHeld(wanted, question) : chooseHeld(question);
}

/**
 * The group to read, where data of Calico are not `required` in the cluster because they are in etcd: none when they are
 * `ignored`, or when they are `optional` and the cluster is known to serve neither group.
 * @throws {@link ConfigError} as {@link chooseGroup} does.
 */
export async function chooseGroupFor(
  question: GroupQuestion,
  calico: 'required' | 'optional' | 'ignored',
): Promise<CalicoGroup | undefined> {
  if (calico === 'ignored') return undefined;
  const isAbsent = servedGroups(question.discovery)?.length === 0;
  return calico === 'optional' && isAbsent ? undefined : chooseGroup(question);
}

function groupOfEmpty(wanted: CalicoGroup | undefined, question: GroupQuestion): CalicoGroup {
  const { ifAbsent } = question;
  if (ifAbsent === undefined) throw notInstalled(question);
  return wanted ?? groupOf(ifAbsent);
}

/** Upstream takes any other text for the older group. */
function groupOf(text: string): CalicoGroup {
  return text.toLowerCase() === NEWER ? NEWER : OLDER;
}

/** An aggregated API server of Calico shows some kinds of the older group under the newer one, but no blocks. */
function servedGroups(discovery: Discovery): CalicoGroup[] | undefined {
  if (!discovery.groups) return undefined;
  return CALICO_GROUPS.filter((group) =>
    isServed(discovery, group.slice(0, group.indexOf('/')), 'ipamblocks'),
  );
}

/** The configured group, unless only the other one holds the data. */
async function assertHeld(wanted: CalicoGroup, question: GroupQuestion): Promise<CalicoGroup> {
  const other = wanted === OLDER ? NEWER : OLDER;
  if ((await holding(wanted, question)) !== 'empty') return wanted;
  if (typeof (await holding(other, question)) !== 'object') return wanted;
  throw new ConfigError(
    `${originOf(question)} selects ${wanted}, but this cluster keeps its ClusterInformation in ${other}`,
    { hint: 'remove the setting, or set it to that group', details: { wanted, found: other } },
  );
}

async function chooseHeld(question: GroupQuestion): Promise<CalicoGroup> {
  const [older, newer] = await Promise.all([holding(OLDER, question), holding(NEWER, question)]);
  if (typeof newer !== 'object' || older === 'unknown') return OLDER;
  if (older === 'empty') return NEWER;
  // Aggregated, on a server that does not list the resources of its groups.
  if (areSame(older, newer)) return OLDER;
  throw new ConfigError(
    `both ${OLDER} and ${NEWER} hold a ClusterInformation at ${question.transport.access.displayServer}`,
    {
      hint: `set CALICO_API_GROUP to the one that Calico uses in this cluster`,
      details: { groups: [...CALICO_GROUPS] },
    },
  );
}

/** The ClusterInformation of a group, whether there is none, or whether we may not know. */
type Holding = JsonObject | 'empty' | 'unknown';

async function holding(group: CalicoGroup, { transport, signal }: GroupQuestion): Promise<Holding> {
  const path = kindPath('ClusterInformation', { calico: group });
  if (path?.only === undefined) return 'unknown';
  const request = { path: objectPath(path, { name: path.only }), signal };
  const answer = { status: 200 };
  const accepts = (status: number): boolean => {
    answer.status = status;
    // 503 is what an aggregated API server that is down looks like.
    return status === 403 || status === 503;
  };
  const object = await readJson(transport, request, { accepts });
  return object ?? (answer.status === 404 ? 'empty' : 'unknown');
}

function areSame(older: JsonObject, newer: JsonObject): boolean {
  const [first, second] = [uidOf(older), uidOf(newer)];
  return (
    first !== undefined && second !== undefined && (first === second || shownUid(first) === second)
  );
}

function uidOf({ metadata }: JsonObject): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return undefined;
  const { uid } = metadata;
  return typeof uid === 'string' ? uid : undefined;
}

function notInstalled({ transport }: GroupQuestion): ConfigError {
  const where = requestText({ method: 'GET', path: '/apis' }, transport.access);
  return new ConfigError(
    `this cluster has no Calico: neither ${OLDER} nor ${NEWER} is served (${where})`,
    {
      hint: 'check the context; Calico without custom resources keeps its data in etcd',
    },
  );
}

function notServed(
  wanted: CalicoGroup,
  served: readonly CalicoGroup[],
  question: GroupQuestion,
): ConfigError {
  return new ConfigError(
    `${originOf(question)} selects ${wanted}, which ${question.transport.access.displayServer} does not serve; it serves ${served.join()}`,
    {
      hint: 'remove the setting, or set it to the group that is served',
      details: { wanted, served },
    },
  );
}

function originOf({ configured }: GroupQuestion): string {
  return configured ? `"${configured.value}" from ${configured.origin}` : 'the configuration';
}
