import type { JsonObject, JsonValue } from '../model/resource.ts';

/** Defaults of a spec: values of leaves, and nested ones that count where the member is there. */
interface Defaults {
  readonly [name: string]: JsonValue | DefaultsOf;
}

/** Defaults inside a member that may be absent. */
class DefaultsOf {
  readonly members: Defaults;

  constructor(members: Defaults) {
    this.members = members;
  }
}

const within = (members: Defaults): DefaultsOf => new DefaultsOf(members);

const POLICY: Defaults = { tier: 'default' };
const STAGED: Defaults = { ...POLICY, stagedAction: 'Set' };
const SECRET = within({ secretKeyRef: within({ name: '' }) });

/**
 * What the schemas of both groups and Calico's client fill in where an object does not say, by kind.
 * Source: Calico api/pkg/apis/projectcalico/v3, markers of defaults; libcalico-go lib/clientv3, defaults of pools and of the
 * controllers' configuration.
 */
const DEFAULTS: Readonly<Record<string, Defaults>> = {
  IPPool: {
    nodeSelector: 'all()',
    assignmentMode: 'Automatic',
    allowedUses: ['Workload', 'Tunnel'],
    ipipMode: 'Never',
    vxlanMode: 'Never',
    natOutgoing: false,
    disabled: false,
    disableBGPExport: false,
  },
  Tier: { defaultAction: 'Deny' },
  GlobalNetworkPolicy: POLICY,
  NetworkPolicy: POLICY,
  StagedGlobalNetworkPolicy: STAGED,
  StagedNetworkPolicy: STAGED,
  StagedKubernetesNetworkPolicy: { stagedAction: 'Set' },
  BGPPeer: { password: SECRET },
  BGPConfiguration: {
    logSeverityScreen: 'Info',
    serviceLoadBalancerAggregation: 'Enabled',
    nodeMeshPassword: SECRET,
  },
  FelixConfiguration: { nftablesFlowTableOffload: 'Disabled', nftablesMode: 'Auto' },
  KubeControllersConfiguration: {
    healthChecks: 'Enabled',
    prometheusMetricsPort: 9094,
    controllers: within({
      node: within({ leakGracePeriod: '15m0s' }),
      loadBalancer: within({ assignIPs: 'AllServices' }),
      migration: within({ policyNameMigrator: 'Enabled' }),
    }),
  },
};

/** A spec with the defaults of its kind filled in, and without members that say nothing. */
export function withDefaults(kind: string, spec: JsonObject): JsonObject {
  const filled = fill(spec, DEFAULTS[kind] ?? {});
  if (kind !== 'IPPool') return filled;
  const { blockSize, cidr } = filled;
  if (typeof blockSize === 'number' && blockSize !== 0) return filled;
  return { ...filled, blockSize: typeof cidr === 'string' && cidr.includes(':') ? 122 : 26 };
}

function fill(value: JsonObject, defaults: Defaults): JsonObject {
  const filled: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    // Absent and empty lists are one to Calico, which writes neither.
    if (member === null || (Array.isArray(member) && member.length === 0)) continue;
    const inner = defaults[name];
    filled[name] =
      inner instanceof DefaultsOf && isObject(member) ? fill(member, inner.members) : member;
  }
  for (const [name, preset] of Object.entries(defaults)) {
    if (!(preset instanceof DefaultsOf)) filled[name] ??= preset;
  }
  return filled;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
