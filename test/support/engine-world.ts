import type { RowFlavor } from '../../src/datastore/codec/encode.ts';
import type { RowVersion, WritableDatastore, WritableRow } from '../../src/datastore/datastore.ts';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import type { AutoAssignRequest, AutoAssignResult } from '../../src/engine/auto-assign.ts';
import { IpamEngine } from '../../src/engine/ipam-engine.ts';
import type { FamilyAssignment } from '../../src/engine/partial-result.ts';
import { EngineError } from '../../src/errors/engine-error.ts';
import type { AffinityRow } from '../../src/ipam/model/affinity.ts';
import type { BlockRow } from '../../src/ipam/model/block.ts';
import type { HandleRow } from '../../src/ipam/model/handle.ts';
import type { ResourceKind } from '../../src/ipam/model/resource.ts';
import type { Row } from '../../src/ipam/model/row.ts';
import { formatAddress } from '../../src/net/address.ts';
import { formatCidr } from '../../src/net/cidr.ts';
import type { JsonObject } from '../../src/support/json.ts';
import { ip, net, NOW } from './builders.ts';

/** A write that is about to be sent. */
export interface Sending {
  readonly verb: 'create' | 'update' | 'remove';
  readonly row: WritableRow | RowVersion;
}

/** Looks at a write before it is sent, and may do something first, or fail it. */
export type BeforeWrite = (sending: Sending) => Promise<void> | void;

/** A small cluster in memory with an engine, and a clock that stands until a test moves it. */
export class EngineWorld {
  readonly datastore: MemoryDatastore;
  readonly engine: IpamEngine;
  now = NOW;
  readonly #version: string;

  constructor(flavor: RowFlavor = 'crd') {
    this.#version = flavor === 'crd' ? 'crd.projectcalico.org/v1' : 'projectcalico.org/v3';
    const source = { datastore: 'memory', apiGroup: this.#version } as const;
    this.datastore = new MemoryDatastore(source, { flavor, now: () => this.now });
    const kinds: readonly ResourceKind[] = [
      'IPAMBlock',
      'BlockAffinity',
      'IPAMHandle',
      'IPAMConfig',
      'IPPool',
      'IPReservation',
      'Node',
    ];
    for (const kind of kinds) this.datastore.declare(kind);
    this.engine = this.engineWith();
  }

  /** Another engine on the same rows, as another process would be. */
  engineWith(before: BeforeWrite = () => undefined, signal?: AbortSignal): IpamEngine {
    const clock = { now: () => this.now };
    return new IpamEngine({ datastore: intercepted(this.datastore, before), clock, signal });
  }

  pool(name: string, cidr: string, spec: JsonObject = {}): void {
    this.datastore.put('IPPool', {
      apiVersion: this.#version,
      kind: 'IPPool',
      metadata: { name },
      spec: { cidr, ...spec },
    });
  }

  node(...names: readonly string[]): void {
    for (const name of names) this.labelled(name, {});
  }

  labelled(name: string, labels: Readonly<Record<string, string>>): void {
    this.datastore.put('Node', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labels } },
    });
  }

  reserve(name: string, ...reservedCIDRs: string[]): void {
    const object = {
      apiVersion: this.#version,
      kind: 'IPReservation',
      metadata: { name },
      spec: { reservedCIDRs },
    };
    this.datastore.put('IPReservation', object);
  }

  /** Stores settings as somebody with an editor would. */
  async strict(
    more: { readonly maxBlocksPerHost?: number; readonly autoAllocateBlocks?: boolean } = {},
  ): Promise<void> {
    const defaults = {
      strictAffinity: true,
      autoAllocateBlocks: true,
      maxBlocksPerHost: 0,
      ipCooldownSeconds: 0,
    };
    await this.engine.setSettings({ ...defaults, ...more });
  }

  async cooldown(ipCooldownSeconds: number): Promise<void> {
    await this.engine.setSettings({ ...(await this.engine.settings()), ipCooldownSeconds });
  }

  async block(cidr: string): Promise<BlockRow | undefined> {
    return (await this.#get('IPAMBlock', this.datastore.keys.block(net(cidr)).name)) as
      BlockRow | undefined;
  }

  async affinity(host: string, cidr: string, type = 'host'): Promise<AffinityRow | undefined> {
    const { name } = this.datastore.keys.affinity({ type, host }, net(cidr));
    return (await this.#get('BlockAffinity', name)) as AffinityRow | undefined;
  }

  /** Counts of a handle by block; undefined when there is no row. */
  async counts(handle: string): Promise<Readonly<Record<string, number>> | undefined> {
    const row = (await this.#get('IPAMHandle', this.datastore.keys.handle(handle).name)) as
      HandleRow | undefined;
    return row && Object.fromEntries(row.counts.map(({ text, count }) => [text, count]));
  }

  /** Owners of all blocks by prefix; `nobody` for none. */
  async owners(): Promise<Readonly<Record<string, string>>> {
    const owners: [string, string][] = [];
    for await (const batch of (await this.datastore.list('IPAMBlock')).rows) {
      for (const row of batch as readonly BlockRow[])
        owners.push([formatCidr(row.cidr), row.affinity ?? 'nobody']);
    }
    return Object.fromEntries(owners.sort());
  }

  /** Assigns IPv4 addresses to a host, for workloads unless said otherwise. */
  async assign(
    host: string,
    count: number,
    more: Partial<AutoAssignRequest> & { readonly pools?: readonly string[] } = {},
  ): Promise<Got> {
    return gotFrom(await this.engine.autoAssign(requestFor(host, count, more)));
  }

  async #get(kind: ResourceKind, name: string): Promise<Row | undefined> {
    return this.datastore.get(kind, { name });
  }
}

/** What a request got, as texts. */
export interface Got {
  readonly ips: readonly string[];
  readonly reasons: readonly string[];
  /** Category of the error, or its text; undefined for none. */
  readonly error: string | undefined;
  /** False when nothing was tried. */
  readonly isTried: boolean;
  readonly assignment: FamilyAssignment | undefined;
}

/** A request for IPv4 addresses. */
export function requestFor(
  host: string,
  count: number,
  { pools, ...more }: Partial<AutoAssignRequest> & { readonly pools?: readonly string[] } = {},
): AutoAssignRequest {
  return { host, use: 'Workload', v4: { count, pools: pools?.map(net) }, ...more };
}

/** The IPv4 part of a result, as texts. */
export function gotFrom({ v4, error }: AutoAssignResult): Got {
  return {
    ips: v4?.addresses.map(({ address, length }) => `${formatAddress(address)}/${length}`) ?? [],
    reasons: v4?.reasons.map(({ about }) => about) ?? [],
    error: error === undefined ? undefined : categoryOf(error),
    isTried: v4 !== undefined,
    assignment: v4,
  };
}

/** The category of a refusal, or the text of any other error. */
export function categoryOf(error: unknown): string {
  if (error instanceof EngineError) return error.category;
  return error instanceof Error ? error.message : String(error);
}

/** How a promise ends: `done`, or the category of the refusal. */
export async function endOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    return categoryOf(error);
  }
}

/** A release by address as tests write it. */
export function releaseOf(
  address: string,
  more: { readonly handle?: string; readonly sequenceNumber?: bigint } = {},
) {
  return { address: formatAddress(ip(address)), ...more };
}

function intercepted(datastore: MemoryDatastore, before: BeforeWrite): WritableDatastore {
  return Object.assign(Object.create(datastore) as WritableDatastore, {
    keys: datastore.keys,
    capabilities: datastore.capabilities,
    describe: () => datastore.describe(),
    get: (...args: Parameters<WritableDatastore['get']>) => datastore.get(...args),
    list: (...args: Parameters<WritableDatastore['list']>) => datastore.list(...args),
    create: async (...[row, options]: Parameters<WritableDatastore['create']>) => {
      await before({ verb: 'create', row });
      return datastore.create(row, options);
    },
    update: async (...[row, options]: Parameters<WritableDatastore['update']>) => {
      await before({ verb: 'update', row });
      return datastore.update(row, options);
    },
    remove: async (...[row, options]: Parameters<WritableDatastore['remove']>) => {
      await before({ verb: 'remove', row });
      return datastore.remove(row, options);
    },
  });
}
