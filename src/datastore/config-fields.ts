import { ConfigError } from '../errors/config-error.ts';
import type { Sourced } from './connection.ts';

/** Value of a setting, as its type in {@link CONFIG_FIELDS} says. */
export type ConfigValue = string | boolean | number;

interface ConfigField {
  readonly type: 'text' | 'boolean' | 'integer' | 'number';
  /** Variables of the environment, the one that wins first; none for what must not stand in an environment. */
  readonly variables: readonly string[];
}

/** Settings by their name in the configuration file. */
export type ConfigFieldName = keyof typeof FIELDS;

/** Settings that one source gives, each with its origin. */
export type ConfigValues = ReadonlyMap<ConfigFieldName, Sourced<ConfigValue>>;

function field(type: ConfigField['type'], variable?: string): ConfigField {
  return { type, variables: variable === undefined ? [] : [`CALICO_${variable}`, variable] };
}

const FIELDS = {
  datastoreType: field('text', 'DATASTORE_TYPE'),
  etcdEndpoints: field('text', 'ETCD_ENDPOINTS'),
  etcdDiscoverySrv: field('text', 'ETCD_DISCOVERY_SRV'),
  etcdUsername: field('text', 'ETCD_USERNAME'),
  etcdPassword: field('text', 'ETCD_PASSWORD'),
  etcdKeyFile: field('text', 'ETCD_KEY_FILE'),
  etcdCertFile: field('text', 'ETCD_CERT_FILE'),
  etcdCACertFile: field('text', 'ETCD_CA_CERT_FILE'),
  etcdKey: field('text'),
  etcdCert: field('text'),
  etcdCACert: field('text'),
  kubeconfig: field('text', 'KUBECONFIG'),
  kubeconfigInline: field('text'),
  k8sAPIEndpoint: field('text', 'K8S_API_ENDPOINT'),
  k8sKeyFile: field('text', 'K8S_KEY_FILE'),
  k8sCertFile: field('text', 'K8S_CERT_FILE'),
  k8sCAFile: field('text', 'K8S_CA_FILE'),
  // Calico reads the token from this one variable only.
  k8sAPIToken: { type: 'text', variables: ['CALICO_K8SAPITOKEN'] },
  k8sInsecureSkipTLSVerify: field('boolean', 'K8S_INSECURE_SKIP_TLS_VERIFY'),
  k8sDisableNodePoll: field('boolean', 'K8S_DISABLE_NODE_POLL'),
  usePodCIDR: field('boolean', 'USE_POD_CIDR'),
  k8sClientQPS: field('number', 'K8S_CLIENT_QPS'),
  k8sClientBurst: field('integer', 'K8S_CLIENT_BURST'),
  k8sCurrentContext: field('text', 'K8S_CURRENT_CONTEXT'),
  calicoAPIGroup: field('text', 'CALICO_API_GROUP'),
} as const satisfies Readonly<Record<string, ConfigField>>;

/**
 * Every setting of a Calico client.
 *
 * Source: Calico documentation, "Configure calicoctl"; upstream libcalico-go, lib/apiconfig.
 */
export const CONFIG_FIELDS: Readonly<Record<ConfigFieldName, ConfigField>> = FIELDS;

/** Whether a name is one of {@link CONFIG_FIELDS}. */
export function isConfigField(name: string): name is ConfigFieldName {
  return Object.hasOwn(CONFIG_FIELDS, name);
}

/**
 * Value of a setting that is given as text. Booleans and numbers take the spellings of Go's parsers.
 *
 * @throws {@link ConfigError} naming the origin when the text is none of its type, an empty one included.
 */
export function parseConfigText(
  name: ConfigFieldName,
  { value, origin }: Sourced<string>,
): ConfigValue {
  const { type } = CONFIG_FIELDS[name];
  if (type === 'text') return value;
  const parsed = type === 'boolean' ? parseBoolean(value) : parseNumber(value, type);
  if (parsed === undefined) throw wrongType(name, { value, origin });
  return parsed;
}

/** Settings whose value must not be shown, such as a password that was written as a number. */
const SECRETS: ReadonlySet<ConfigFieldName> = new Set<ConfigFieldName>([
  'etcdPassword',
  'etcdKey',
  'kubeconfigInline',
  'k8sAPIToken',
]);

/** The error for a value that is not of its setting's type. */
export function wrongType(name: ConfigFieldName, { value, origin }: Sourced<unknown>): ConfigError {
  const { type } = CONFIG_FIELDS[name];
  const wanted = type === 'integer' ? 'an integer' : `a ${type}`;
  const shown = SECRETS.has(name) ? 'the value' : JSON.stringify(value);
  return new ConfigError(`${origin}: ${shown} is not ${wanted}`, {
    details: { setting: name, origin },
  });
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

function parseBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text);
}

function parseNumber(text: string, type: 'integer' | 'number'): number | undefined {
  const pattern =
    type === 'integer'
      ? /^[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9]\d*)$/
      : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
  if (!pattern.test(text)) return undefined;
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replace(/^[+-]/, '');
  // A leading zero means octal to Go, and decimal to JavaScript.
  const isOldOctal = type === 'integer' && /^0\d/.test(digits);
  const value = sign * Number(isOldOctal ? `0o${digits.slice(1)}` : digits);
  return Number.isFinite(value) && (type === 'number' || Number.isSafeInteger(value))
    ? value
    : undefined;
}
