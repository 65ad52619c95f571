import { delimiter, join } from 'node:path';
import { ConfigError } from '../errors/config-error.ts';
import { UnsupportedError } from '../errors/unsupported-error.ts';
import { environmentValues } from './config-environment.ts';
import { etcdConnection } from './config-etcd.ts';
import {
  CONFIG_FIELDS,
  type ConfigFieldName,
  type ConfigValue,
  type ConfigValues,
} from './config-fields.ts';
import { DEFAULT_CONFIG_FILE, fileValues } from './config-file.ts';
import { LayeredValues } from './config-layers.ts';
import type {
  EtcdConnection,
  KubernetesConnection,
  RequestLimits,
  Sourced,
  Surroundings,
} from './connection.ts';

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
  | {
      readonly type: 'etcdv3';
      /** What selected etcd. */
      readonly origin: string;
      readonly etcd: EtcdConnection;
      /** Where the Kubernetes objects beside etcd are; absent when no cluster is configured. */
      readonly kubernetes?: KubernetesConnection | undefined;
    };

/**
 * Weighs flags, environment and configuration file against each other, setting by setting and in this order.
 *
 * Departs from upstream: calicoctl ignores the environment as soon as there is a configuration file.
 * @throws {@link ConfigError} naming the origin of a value that is wrong.
 * @throws {@link UnsupportedError} when the cluster does not use Calico IPAM.
 */
export async function resolveConnection(settings: ConnectionSettings): Promise<Connection> {
  const values = await layersOf(settings);
  const type = datastoreType(values);
  if (type.value === 'etcdv3') {
    const etcd = etcdConnection(values, { ...settings, typeOrigin: type.origin });
    return { type: 'etcdv3', origin: type.origin, etcd, kubernetes: besideEtcd(values, settings) };
  }
  assertCalicoIpam(values);
  return { type: 'kubernetes', kubernetes: kubernetesConnection(values, settings) };
}

/**
 * The other place in which Calico may keep data, as in a migration: the cluster beside etcd, or the etcd that is configured
 * beside a cluster. Undefined when nothing names one.
 * @throws {@link ConfigError} as {@link resolveConnection} does.
 */
export async function resolveOtherSide(
  settings: ConnectionSettings,
): Promise<Connection | undefined> {
  const values = await layersOf(settings);
  if (datastoreType(values).value === 'etcdv3') {
    const kubernetes = besideEtcd(values, settings);
    return kubernetes && { type: 'kubernetes', kubernetes };
  }
  const place = placeOfEtcd(values);
  if (place === undefined) return undefined;
  const { origin } = place;
  return {
    type: 'etcdv3',
    origin,
    etcd: etcdConnection(values, { ...settings, typeOrigin: origin }),
  };
}

/** Files that a connection with these settings rests on, whether they are there or not. */
export async function configuredFiles(settings: ConnectionSettings): Promise<readonly string[]> {
  const { config = settings.defaultConfigFile ?? DEFAULT_CONFIG_FILE, homeDir } = settings;
  const values = await layersOf(settings);
  const kubeconfigs = values.find<string>('kubeconfig')?.value.split(delimiter) ?? [];
  const ofHome = homeDir === undefined ? [] : [join(homeDir, '.kube', 'config')];
  const others = FILE_SETTINGS.flatMap((name) => values.find<string>(name)?.value ?? []);
  return [config, ...kubeconfigs, ...ofHome, ...others].filter((path) => path !== '');
}

function placeOfEtcd(values: LayeredValues): Sourced<string> | undefined {
  return values.find<string>('etcdEndpoints') ?? values.find<string>('etcdDiscoverySrv');
}

async function layersOf(settings: ConnectionSettings): Promise<LayeredValues> {
  const { config, defaultConfigFile = DEFAULT_CONFIG_FILE } = settings;
  const file = await fileValues(config ?? defaultConfigFile, config === undefined);
  return new LayeredValues([flagValues(settings), environmentValues(settings.env), file]);
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
function datastoreType(values: LayeredValues): Sourced<string> {
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

function assertCalicoIpam(values: LayeredValues): void {
  const usePodCidr = values.find<boolean>('usePodCIDR');
  if (usePodCidr?.value !== true) return;
  throw new UnsupportedError(
    `${usePodCidr.origin}: pods take their addresses from the node's pod CIDR, so there is no Calico IPAM to look at`,
    { details: { setting: 'usePodCIDR', origin: usePodCidr.origin } },
  );
}

/** What says that there is a cluster beside etcd; the rest only refines it. */
const CLUSTER_SETTINGS: readonly ConfigFieldName[] = [
  'kubeconfig',
  'kubeconfigInline',
  'k8sAPIEndpoint',
  'k8sCurrentContext',
];

/** Settings that name one file each. */
const FILE_SETTINGS = (Object.keys(CONFIG_FIELDS) as ConfigFieldName[]).filter((name) =>
  name.endsWith('File'),
);

/** Pods, services and machines are in Kubernetes even where Calico keeps its own data in etcd. */
function besideEtcd(
  values: LayeredValues,
  settings: ConnectionSettings,
): KubernetesConnection | undefined {
  const isConfigured = CLUSTER_SETTINGS.some((name) => values.find(name) !== undefined);
  return isConfigured ? kubernetesConnection(values, settings) : undefined;
}

function kubernetesConnection(
  values: LayeredValues,
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
    // Etcd may be asked, too.
    ownsProcess: settings.ownsProcess && placeOfEtcd(values) === undefined,
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
