import type { IpamEngine } from '../../src/engine/ipam-engine.ts';
import type { AutoAssignRequest } from '../../src/engine/auto-assign.ts';
import type { ReleaseOption } from '../../src/engine/release-addresses.ts';
import type { HostReservation } from '../../src/ipam/allocator/host-reservation.ts';
import type {
  OwnerPreconditions,
  OwnerUpdates,
} from '../../src/ipam/allocator/owner-attributes.ts';
import type { IpamSettings } from '../../src/ipam/allocator/config-rules.ts';
import { type Address, formatAddress, parseAddress } from '../../src/net/address.ts';
import { type Cidr, formatCidr, parseCidr } from '../../src/net/cidr.ts';
import type { JsonObject, JsonValue } from '../../src/support/json.ts';
import { assignmentAnswer, errorAnswer, errorMember, usageAnswer } from './answers.ts';
import type { BlockIncarnations } from './block-incarnations.ts';

/** What an operation is run with. */
export interface OperationStage {
  readonly engine: IpamEngine;
  readonly incarnations: BlockIncarnations;
}

type Args = Readonly<Record<string, JsonValue | undefined>>;
type Operation = (stage: OperationStage, args: Args) => Promise<JsonValue | undefined>;

/** Operations of the engine by the names that traces have for them; each gives the answer that a trace would record. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  autoAssign: async ({ engine }, args) => {
    const { v4, v6, error } = await engine.autoAssign(assignRequest(args));
    return { v4: assignmentAnswer(v4), v6: assignmentAnswer(v6), ...errorMember(error) };
  },
  assignIP: plain(({ engine }, args) =>
    engine.assignAddress({
      address: address(args['ip']),
      host: text(args['host']),
      handle: optional(args['handle']),
      attributes: map(args['attrs']),
      use: optional(args['use']),
      maxPerHandle: number(args['maxAllocToHandle']),
      reservation: reservation(args['reserved']),
    }),
  ),
  releaseIPs: async ({ engine, incarnations }, args) => {
    const options = (args['releases'] as readonly JsonObject[]).map((one) =>
      releaseOption(one, incarnations),
    );
    const result = await engine.releaseAddresses(options).catch((error: unknown) => ({
      ...{ released: [], unallocated: [], error },
    }));
    const released = [...result.released]
      .sort((a, b) => (a.address < b.address ? -1 : 1))
      .map(releaseAnswer);
    return { released, unallocated: [...result.unallocated].sort(), ...errorMember(result.error) };
  },
  releaseByHandle: plain(({ engine }, args) => engine.releaseByHandle(text(args['handle']))),
  ipsByHandle: async ({ engine }, args) => {
    try {
      return {
        ips: (await engine.addressesOfHandle(text(args['handle']))).map(formatAddress).sort(),
      };
    } catch (error) {
      return { error: errorAnswer(error), ips: [] };
    }
  },
  getAssignmentAttributes: async ({ engine }, args) => {
    try {
      const { handle, active, alternate } = await engine.assignmentOf(address(args['ip']));
      return {
        attributes: {
          handle: handle ?? null,
          active: ownerAnswer(active),
          alternate: ownerAnswer(alternate),
        },
      };
    } catch (error) {
      return { error: errorAnswer(error) };
    }
  },
  setOwnerAttributes: plain(({ engine }, args) =>
    engine.setOwners({
      address: address(args['ip']),
      handle: text(args['handle']),
      updates: args['updates'] as OwnerUpdates | undefined,
      preconditions: args['preconditions'] as OwnerPreconditions | undefined,
    }),
  ),
  claimAffinity: async ({ engine }, args) => {
    try {
      const result = await engine.claimAffinity(owner(args), cidr(args['cidr']));
      const { claimed, failed } = result;
      return {
        claimed: claimed.map(formatCidr),
        failed: failed.map(formatCidr),
        ...errorMember(result.error),
      };
    } catch (error) {
      return { claimed: [], failed: [], error: errorAnswer(error) };
    }
  },
  releaseAffinity: plain(({ engine }, args) =>
    engine.releaseAffinity(text(args['host']), cidr(args['cidr']), args['mustBeEmpty'] === true),
  ),
  releaseHostAffinities: plain(({ engine }, args) =>
    engine.releaseHostAffinities(owner(args), args['mustBeEmpty'] === true),
  ),
  releasePoolAffinities: plain(({ engine }, args) =>
    engine.releasePoolAffinities(cidr(args['cidr'])),
  ),
  releaseBlockAffinity: async ({ engine }, args) => {
    const block = await engine.block(cidr(args['cidr']));
    if (!block) return { error: { category: 'not-found' } };
    return plain(() => engine.releaseBlockAffinity(block, args['mustBeEmpty'] === true))(
      { engine } as OperationStage,
      args,
    );
  },
  removeIPAMHost: plain(({ engine }, args) => engine.removeHost(owner(args))),
  ensureBlock: async ({ engine }, args) => {
    try {
      const { v4, v6 } = await engine.ensureBlocks({
        host: text(args['host']),
        v4: ensured(args, '4'),
        v6: ensured(args, '6'),
      });
      return { v4: v4 ? formatCidr(v4) : null, v6: v6 ? formatCidr(v6) : null };
    } catch (error) {
      return { error: errorAnswer(error), v4: null, v6: null };
    }
  },
  upgradeHost: plain(({ engine }, args) => engine.upgradeHost(text(args['host']))),
  getUtilization: async ({ engine }, args) => {
    const pools = await engine.utilization((args['pools'] ?? []) as readonly string[]);
    return { pools: pools.map(usageAnswer) };
  },
  getIPAMConfig: async ({ engine }) => ({ config: settingsAnswer(await engine.settings()) }),
  setIPAMConfig: plain(({ engine }, args) => {
    const defaults = {
      strictAffinity: false,
      autoAllocateBlocks: false,
      maxBlocksPerHost: 0,
      ipCooldownSeconds: 0,
    };
    return engine.setSettings({ ...defaults, ...(args as Partial<IpamSettings>) });
  }),
  garbageCollectColdIPs: plain(async ({ engine }, args) => {
    const block = await engine.block(cidr(args['cidr']));
    if (block) await engine.collectCold(await engine.settings(), block);
  }),
};

function settingsAnswer({
  kubeVirtVMAddressPersistence: persistence,
  ...settings
}: IpamSettings): JsonObject {
  return persistence === undefined
    ? settings
    : { ...settings, kubeVirtVMAddressPersistence: persistence };
}

/** An operation whose success has no value. */
function plain(run: (stage: OperationStage, args: Args) => Promise<unknown>): Operation {
  return async (stage, args) => {
    try {
      await run(stage, args);
      return undefined;
    } catch (error) {
      return { error: errorAnswer(error) };
    }
  };
}

function assignRequest(args: Args): AutoAssignRequest {
  const { use } = args;
  const namespace = args['namespace'] as JsonObject | undefined;
  const family = (suffix: string) => ({
    count: number(args[`num${suffix}`]),
    pools: pools(args[`pools${suffix}`]),
    reservation: reservation(args[`reserved${suffix}`]),
  });
  return {
    host: text(args['host']),
    use: use === undefined ? 'Workload' : use === 'none' ? '' : text(use),
    v4: family('4'),
    v6: family('6'),
    handle: optional(args['handle']),
    attributes: map(args['attrs']),
    maxBlocksPerHost: number(args['maxBlocksPerHost']),
    maxPerHandle: number(args['maxAllocToHandle']),
    namespaceLabels: map(namespace?.['labels']),
  };
}

function ensured(args: Args, suffix: string) {
  const reserved = reservation(args[`reserved${suffix}`]);
  return reserved && { pools: pools(args[`pools${suffix}`]), reservation: reserved };
}

function releaseOption(one: JsonObject, incarnations: BlockIncarnations): ReleaseOption {
  const place = { block: optional(one['block']), address: text(one['address']) };
  const sequence = optional(one['sequenceNumber']);
  return {
    address: place.address,
    handle: optional(one['handle']),
    sequenceNumber: sequence === undefined ? undefined : incarnations.numberOf(sequence, place),
  };
}

function releaseAnswer({ address: released, handle, sequenceNumber }: ReleaseOption): JsonObject {
  return {
    address: released,
    ...(handle === undefined ? {} : { handle }),
    ...(sequenceNumber === undefined ? {} : { sequenceNumber: String(sequenceNumber) }),
  };
}

function ownerAnswer(attributes: Readonly<Record<string, string>> | undefined): JsonValue {
  return attributes === undefined ? null : { ...attributes };
}

function owner(args: Args): { readonly type: string; readonly host: string } {
  return { type: optional(args['type']) ?? 'host', host: text(args['host']) };
}

function address(value: JsonValue | undefined): Address {
  const parsed = parseAddress(text(value));
  if (parsed === undefined) throw new Error(`${text(value)} is no address`);
  return parsed;
}

function cidr(value: JsonValue | undefined): Cidr {
  const parsed = parseCidr(text(value));
  if (!parsed) throw new Error(`${text(value)} is no prefix`);
  return parsed;
}

function pools(value: JsonValue | undefined): readonly Cidr[] {
  return ((value ?? []) as readonly JsonValue[]).map(cidr);
}

function reservation(value: JsonValue | undefined): HostReservation | undefined {
  return value === undefined || value === null ? undefined : (value as unknown as HostReservation);
}

function map(value: JsonValue | undefined): Readonly<Record<string, string>> | undefined {
  return value === undefined || value === null ? undefined : (value as Record<string, string>);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function optional(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
