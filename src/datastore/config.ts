import { ConfigError } from '../errors/config-error.ts';
import { UnsupportedError } from '../errors/unsupported-error.ts';
import { environmentValues } from './config-environment.ts';
import type { ConfigFieldName, ConfigValue, ConfigValues } from './config-fields.ts';
import { DEFAULT_CONFIG_FILE, fileValues } from './config-file.ts';
import type { KubernetesConnection, RequestLimits, Sourced, Surroundings } from './connection.ts';

/** What the flags of a command say about the connection; an absent one was not given. */
export interface ConnectionFlags {
  readonly config?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** Requests a second. */
  readonly qps?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Everything that decides where to connect to. */
export interface ConnectionSettings extends ConnectionFlags, Surroundings {
  readonly signal?: AbortSignal | undefined;
  /** Read when no file is named; absent means Calico's own, {@link DEFAULT_CONFIG_FILE}. */
  readonly defaultConfigFile?: string | undefined;
}

/** Where to connect to, after flags, environment and configuration file were weighed. */
export type Connection =
  | { readonly type: 'kubernetes'; readonly kubernetes: KubernetesConnection }
  | { readonly type: 'etcdv3'; readonly origin: string };

/**
 * Weighs flags, environment and configuration file against each other, setting by setting and in this order.
 *
 * Departs from upstream: calicoctl ignores the environment as soon as there is a configuration file.
 * @throws {@link ConfigError} naming the origin of a value that is wrong.
 * @throws {@link UnsupportedError} when the cluster does not use Calico IPAM.
 */
export async function resolveConnection(settings: ConnectionSettings): Promise<Connection> {
  const file = await fileValues(
    settings.config ?? settings.defaultConfigFile ?? DEFAULT_CONFIG_FILE,
    settings.config === undefined,
  );
  const values = new Settings([flagValues(settings), environmentValues(settings.env), file]);
  const type = datastoreType(values);
  if (type.value === 'etcdv3') return { type: 'etcdv3', origin: type.origin };
  assertCalicoIpam(values);
  return { type: 'kubernetes', kubernetes: kubernetesConnection(values, settings) };
}

/** Layers of settings, the one that wins first. */
class Settings {
  readonly #layers: readonly ConfigValues[];

  constructor(layers: readonly ConfigValues[]) {
    this.#layers = layers;
  }

  find<T extends ConfigValue>(name: ConfigFieldName): Sourced<T> | undefined {
    const layer = this.#layers.find((candidate) => candidate.has(name));
    // The sources have checked the type, which the table of settings gives.
    return layer?.get(name) as Sourced<T> | undefined;
  }

  /** Whether the first setting comes from a source that wins over the second one's. */
  beats(name: ConfigFieldName, other: ConfigFieldName): boolean {
    const rank = (wanted: ConfigFieldName) => this.#layers.findIndex((layer) => layer.has(wanted));
    return rank(name) >= 0 && (rank(other) < 0 || rank(name) < rank(other));
  }
}

function flagValues({ kubeconfig, context, qps }: ConnectionFlags): ConfigValues {
  const values = new Map<ConfigFieldName, Sourced<ConfigValue>>();
  const set = (name: ConfigFieldName, flag: string, value: ConfigValue | undefined) => {
    if (value !== undefined) values.set(name, { value, origin: flag });
  };
  set('kubeconfig', '--kubeconfig', kubeconfig);
  set('k8sCurrentContext', '--context', context);
  set('k8sClientQPS', '--qps', qps);
  return values;
}

/** Source: upstream libcalico-go, lib/apiconfig: without a type, etcd endpoints mean etcd. */
function datastoreType(values: Settings): Sourced<string> {
  const type = values.find<string>('datastoreType');
  if (type === undefined) {
    const endpoints = values.find<string>('etcdEndpoints');
    return endpoints === undefined
      ? { value: 'kubernetes', origin: 'default' }
      : { value: 'etcdv3', origin: endpoints.origin };
  }
  if (type.value !== 'kubernetes' && type.value !== 'etcdv3') {
    throw new ConfigError(
      `${type.origin}: there is no datastore type ${JSON.stringify(type.value)}`,
      {
        hint: 'use kubernetes or etcdv3',
        details: { setting: 'datastoreType', origin: type.origin },
      },
    );
  }
  return type;
}

function assertCalicoIpam(values: Settings): void {
  const usePodCidr = values.find<boolean>('usePodCIDR');
  if (usePodCidr?.value !== true) return;
  throw new UnsupportedError(
    `${usePodCidr.origin}: pods take their addresses from the node's pod CIDR, so there is no Calico IPAM to look at`,
    { details: { setting: 'usePodCIDR', origin: usePodCidr.origin } },
  );
}

function kubernetesConnection(
  values: Settings,
  settings: ConnectionSettings,
): KubernetesConnection {
  const limits: RequestLimits = {
    qps: positive(values.find<number>('k8sClientQPS')),
    burst: positive(values.find<number>('k8sClientBurst')),
    pageSize: settings.pageSize,
    timeoutMs: settings.timeoutMs,
    signal: settings.signal,
  };
  return {
    ...limits,
    env: settings.env,
    homeDir: settings.homeDir,
    kubeconfig: values.find<string>('kubeconfig'),
    // Who names another kubeconfig by flag or environment does not want the text in the file.
    kubeconfigInline: values.beats('kubeconfig', 'kubeconfigInline')
      ? undefined
      : values.find<string>('kubeconfigInline'),
    context: values.find<string>('k8sCurrentContext'),
    apiEndpoint: values.find<string>('k8sAPIEndpoint'),
    keyFile: values.find<string>('k8sKeyFile'),
    certFile: values.find<string>('k8sCertFile'),
    caFile: values.find<string>('k8sCAFile'),
    token: values.find<string>('k8sAPIToken'),
    insecureSkipTLSVerify: values.find<boolean>('k8sInsecureSkipTLSVerify'),
    apiGroup: values.find<string>('calicoAPIGroup'),
  };
}

/** Zero means Calico's default, and less than zero no limit; both are no limit of ours. */
function positive(limit: Sourced<number> | undefined): Sourced<number> | undefined {
  return limit !== undefined && limit.value > 0 ? limit : undefined;
}
