import { ConfigError } from '../../errors/config-error.ts';
import type { ResourceKey, ResourceKind, Revision } from '../../ipam/model/resource.ts';
import { OBJECT_KEYS } from '../../ipam/model/row-keys.ts';
import type { Row } from '../../ipam/model/row.ts';
import { decodeObject } from '../codec/decode.ts';
import { CallSignals } from '../call-signals.ts';
import type { KubernetesConnection } from '../connection.ts';
import {
  type Datastore,
  type DatastoreCapabilities,
  type ListOptions,
  type Listing,
  type RevisionOptions,
  type SourceDescription,
  type WritableDatastore,
} from '../datastore.ts';
import { chooseGroupFor } from './api-group.ts';
import { openAccess } from './credentials.ts';
import { type Discovery, discover, isServed } from './discovery.ts';
import { KindLister } from './kind-lister.ts';
import { parserFor, withObject } from './list-parser.ts';
import { listRevisions } from './list-revisions.ts';
import {
  type CalicoGroup,
  collectionPath,
  type GroupChoice,
  type KindPath,
  kindPath,
  objectPath,
} from './paths.ts';
import { SYSTEM_PORTS, type Ports } from '../ports.ts';
import { readJson } from './read-json.ts';
import { Transport } from './transport.ts';
import { WritableKubernetes } from './writable-kubernetes.ts';

/** Kinds of which a working Calico may lack the custom resource definition. */
const OPTIONAL: ReadonlySet<ResourceKind> = new Set([
  'IPReservation',
  'KubeControllersConfiguration',
  'IPAMConfig',
  'ClusterInformation',
]);

const MACHINES: ReadonlySet<ResourceKind> = new Set(['VirtualMachine', 'VirtualMachineInstance']);

/** Stands where a group is needed although the cluster has none; nothing of it is asked for. */
const NO_GROUP: CalicoGroup = 'crd.projectcalico.org/v1';

const CALICO_SUFFIX = 'projectcalico.org';

/** Whether a cluster must keep Calico's data; without them its kinds of Calico count as not installed. */
export interface OpenOptions {
  readonly calico?: 'required' | 'optional' | 'ignored' | undefined;
}

const DECIMAL = /^\d+$/;

/**
 * Opens the Kubernetes API as a datastore: credentials, discovery (one request, or two) and the choice of Calico's API group.
 *
 * @throws {@link ConfigError} when the configuration does not fit; {@link UnavailableError} when the server cannot be
 * reached; {@link AccessDeniedError} when it does not accept the credentials.
 */
export async function openKubernetesDatastore(
  connection: KubernetesConnection,
  ports: Ports = SYSTEM_PORTS,
  { calico = 'required' }: OpenOptions = {},
): Promise<WritableDatastore> {
  const { signal } = connection;
  const access = await openAccess(connection, ports);
  const transport = new Transport(access, {
    userAgent: 'ipamctl',
    timeoutMs: connection.timeoutMs,
    qps: connection.qps?.value,
    burst: connection.burst?.value,
    ports,
  });
  try {
    const discovery = await discover(transport, signal);
    const { apiGroup: configured, groupIfAbsent: ifAbsent } = connection;
    const question = { transport, discovery, configured, ifAbsent, signal };
    const group = await chooseGroupFor(question, calico);
    const lister = new KindLister({ transport, discovery, pageSize: connection.pageSize });
    const signals = new CallSignals(signal);
    const reader = new KubernetesDatastore({ transport, discovery, group, signals, lister });
    return new WritableKubernetes(reader, { transport, group: group ?? NO_GROUP, lister, signals });
  } catch (error) {
    transport.close();
    throw error;
  }
}

/** What opening found out. */
interface Opened {
  readonly transport: Transport;
  readonly discovery: Discovery;
  /** Undefined where no data of Calico are to be read: its kinds then count as not installed. */
  readonly group: CalicoGroup | undefined;
  readonly lister: KindLister;
  readonly signals: CallSignals;
}

/** Reads through one API server. */
class KubernetesDatastore implements Datastore {
  readonly capabilities: DatastoreCapabilities = { live: true, writable: false };
  readonly keys = OBJECT_KEYS;
  readonly #opened: Opened;
  readonly #groups: GroupChoice;
  readonly #lister: KindLister;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.#lister = opened.lister;
    const kubevirt = opened.discovery.groups?.get('kubevirt.io');
    this.#groups = {
      calico: opened.group ?? NO_GROUP,
      kubevirt: kubevirt && `kubevirt.io/${kubevirt.version}`,
    };
  }

  describe(): SourceDescription {
    const { transport, group } = this.#opened;
    const { context, displayServer } = transport.access;
    return { datastore: 'kubernetes', context, server: displayServer, apiGroup: group };
  }

  async get(
    kind: ResourceKind,
    key: ResourceKey,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Row | undefined> {
    const signal = this.#opened.signals.of(options.signal);
    const path = this.#served(kind);
    if (!path) return undefined;
    const request = { path: objectPath(path, key), signal };
    const object = await readJson(this.#opened.transport, request);
    const row = object && decodeObject(kind, object);
    return object && row && withObject(row, object);
  }

  async list(kind: ResourceKind, options: ListOptions = {}): Promise<Listing> {
    const signal = this.#opened.signals.of(options.signal);
    const path = this.#served(kind);
    if (!path) return { absent: 'not-installed', rows: batches([]) };
    if (path.only !== undefined) return this.#listOnly(kind, path.only, { ...options, signal });
    const { keep, trimsWorkloads = false } = options;
    const listing = await this.#lister.open({
      kind,
      path,
      // Protobuf gives no whole objects.
      acceptsProtobuf: path.protobuf && (keep === undefined || trimsWorkloads),
      parser: (mediaType) => parserFor(mediaType, kind, keep),
      signal,
    });
    return listing === 'missing' ? this.#missing(kind, path) : listing;
  }

  async revisions(
    kind: ResourceKind,
    options: RevisionOptions,
  ): Promise<ReadonlyMap<string, Revision>> {
    const signal = this.#opened.signals.of(options.signal);
    const path = this.#served(kind);
    if (!path) return new Map();
    return listRevisions({ lister: this.#lister, kind, path }, { ...options, signal });
  }

  compareRevisions(a: Revision, b: Revision): number | undefined {
    if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
    const [first, second] = [BigInt(a), BigInt(b)];
    return first < second ? -1 : Number(first > second);
  }

  close(): Promise<void> {
    this.#opened.signals.close();
    this.#opened.transport.close();
    return Promise.resolve();
  }

  /** Where the kind is served; undefined when it is known not to be, without a request. */
  #served(kind: ResourceKind): KindPath | undefined {
    const path = kindPath(kind, this.#groups);
    if (this.#opened.group === undefined && path?.apiGroup.endsWith(CALICO_SUFFIX))
      return undefined;
    if (!path || !MACHINES.has(kind)) return path;
    return isServed(this.#opened.discovery, path.apiGroup, path.resource) === false
      ? undefined
      : path;
  }

  /** Reads the one object that counts by its name: the list would need a right that nothing else needs. */
  async #listOnly(kind: ResourceKind, name: string, options: ListOptions): Promise<Listing> {
    const row = await this.get(kind, { name }, options);
    if (!row) return { rows: batches([]) };
    const { object: _object, ...bare } = row;
    return { rows: batches([options.keep?.(row) === true ? row : bare]) };
  }

  #missing(kind: ResourceKind, path: KindPath): Listing {
    if (MACHINES.has(kind)) return { absent: 'not-installed', rows: batches([]) };
    if (OPTIONAL.has(kind)) return { rows: batches([]) };
    const { displayServer } = this.#opened.transport.access;
    throw new ConfigError(
      `${displayServer} does not serve ${kind} (GET ${collectionPath(path)}: 404)`,
      {
        hint: "check the server URL and that Calico's custom resource definitions are complete",
        details: { kind, path: collectionPath(path), apiGroup: path.apiGroup },
      },
    );
  }
}

async function* batches(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  if (rows.length > 0) yield await Promise.resolve(rows);
}
