import { UsageError } from '../../errors/usage-error.ts';
import type { PoolUse } from '../../ipam/model/pool.ts';
import type { Address, Family } from '../../net/address.ts';

/** Owner under which blocks for load balancers are claimed; it is no node. */
export const LOAD_BALANCER_HOST = 'load-balancer';

/** What to assign. */
export interface AssignOptions {
  /** One given address; undefined for any free ones. */
  readonly address: Address | undefined;
  /** How many addresses, where none is given. */
  readonly count: number;
  /** Undefined for that of the address or pools, else IPv4 where there is a pool of it. */
  readonly family: Family | undefined;
  /** Node that gets the addresses, or {@link LOAD_BALANCER_HOST}. */
  readonly host: string;
  readonly use: PoolUse;
  readonly handle: string;
  /** Whether none was given, and this one was made up. */
  readonly isHandleNew: boolean;
  /** Attributes that the user gives. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Names or prefixes of the pools to take from, in this order; none for any. */
  readonly pools: readonly string[];
  readonly isMismatchAllowed: boolean;
  /** Whether the plan shall say which addresses an assignment would take as things stand. */
  readonly isRehearsed: boolean;
}

/** Values of the flags of `ipam assign`. */
export interface AssignFlags {
  readonly node?: string | undefined;
  readonly use: string;
  readonly ip?: Address | undefined;
  readonly count?: number | undefined;
  readonly 'ip-version'?: string | undefined;
  readonly handle?: string | undefined;
  readonly attr?: readonly string[] | undefined;
  readonly pool?: readonly string[] | undefined;
  readonly 'dry-run': boolean;
  readonly 'allow-version-mismatch': boolean;
}

/**
 * What the flags ask for.
 * @param newHandle Makes the handle of an assignment for which none is given.
 * @throws {@link UsageError} when the node is missing, or a value has the wrong form.
 */
export function assignOptionsFrom(flags: AssignFlags, newHandle: () => string): AssignOptions {
  const { handle } = flags;
  if (handle === '') throw new UsageError('--handle is empty');
  const version = flags['ip-version'];
  const host = hostFrom(flags);
  const attributes = attributesFrom(flags.attr ?? []);
  assertSameNode(host, attributes['node']);
  return {
    address: flags.ip,
    count: flags.count ?? 1,
    family: version === undefined ? undefined : version === '6' ? 6 : 4,
    host,
    use: flags.use as PoolUse,
    handle: handle ?? newHandle(),
    isHandleNew: handle === undefined,
    attributes,
    pools: flags.pool ?? [],
    isMismatchAllowed: flags['allow-version-mismatch'],
    isRehearsed: flags['dry-run'],
  };
}

/** Never the name of the machine that runs the command: it need not be a node. */
function hostFrom({ node, use }: AssignFlags): string {
  if (use === 'LoadBalancer') {
    if (node === undefined || node === LOAD_BALANCER_HOST) return LOAD_BALANCER_HOST;
    throw new UsageError(
      '--node does not go with --use LoadBalancer: such addresses belong to no node',
    );
  }
  if (node !== undefined && node !== '') return node;
  throw new UsageError('--node is missing', {
    hint: 'name the node that is to have the address, as the cluster knows it',
  });
}

/** An address that is taken for one node and recorded for another would count as borrowed by that one. */
function assertSameNode(host: string, node: string | undefined): void {
  if (node === undefined || node === host || host === LOAD_BALANCER_HOST) return;
  throw new UsageError(`--attr: "node" is ${node}, and --node is ${host}`, {
    hint: '--node says both whose blocks are used and which node is recorded',
  });
}

function attributesFrom(texts: readonly string[]): Readonly<Record<string, string>> {
  const attributes = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, at);
    if (at < 1)
      throw new UsageError(`--attr: "${text}" is no attribute`, { hint: 'write it as NAME=VALUE' });
    if (attributes.has(name)) throw new UsageError(`--attr: "${name}" is given twice`);
    attributes.set(name, text.slice(at + 1));
  }
  return Object.fromEntries(attributes);
}
