import type { YAMLException } from 'js-yaml';
import { isAbsolute, join } from 'node:path';
import { ConfigError } from '../../errors/config-error.ts';
import type {
  Impersonation,
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigExec,
  KubeconfigUser,
  Placed,
} from './kubeconfig-entries.ts';

/** A text with the place that it came from. */
export interface KubeconfigText {
  readonly text: string;
  /** As messages name it. */
  readonly place: string;
  /** Folder that relative paths start from; absent for a text without a file. */
  readonly folder?: string | undefined;
}

/** A mapping of YAML whose scalars are all texts. */
type Mapping = Readonly<Record<string, unknown>>;

/**
 * Reads one kubeconfig.
 * @throws {@link ConfigError} naming the place when it is no kubeconfig.
 * Source: https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/
 */
export async function parseKubeconfig(source: KubeconfigText): Promise<Kubeconfig> {
  const root = await parseYaml(source);
  const absolute = (path: string | undefined): string | undefined =>
    absolutePath(path, source.folder);
  const current = textAt(root, 'current-context');
  const placed = <T>(value: T): Placed<T> => ({ value, place: source.place });
  return {
    clusters: entries(root, ['clusters', 'cluster'], (entry) => placed(clusterOf(entry, absolute))),
    users: entries(root, ['users', 'user'], (entry) =>
      placed(userOf(entry, { absolute, folder: source.folder })),
    ),
    contexts: entries(root, ['contexts', 'context'], (entry) => placed(contextOf(entry))),
    currentContext: current === undefined ? undefined : placed(current),
    place: source.place,
  };
}

/** Joins kubeconfigs: the first that names a cluster, user, context or current context wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    clusters: mergeMaps(configs.map((config) => config.clusters)),
    users: mergeMaps(configs.map((config) => config.users)),
    contexts: mergeMaps(configs.map((config) => config.contexts)),
    currentContext: configs.find((config) => config.currentContext !== undefined)?.currentContext,
    place: configs.map((config) => config.place).join(', '),
  };
}

function mergeMaps<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map(maps.toReversed().flatMap((map) => [...map]));
}

async function parseYaml({ text, place }: KubeconfigText): Promise<Mapping> {
  const { FAILSAFE_SCHEMA, loadAll } = await import('js-yaml');
  let roots: unknown[];
  try {
    // Every scalar stays the text that it is: a token of digits must not become a number.
    roots = loadAll(text, { schema: FAILSAFE_SCHEMA });
  } catch (error) {
    const reason = reasonOf(error as Partial<YAMLException>);
    throw new ConfigError(`${place} is no YAML: ${reason}`, { details: { file: place } });
  }
  const [root] = roots;
  if (roots.length > 1) throw noKubeconfig(place, 'it holds several documents');
  if (root === '' || root === undefined) return {};
  if (isMapping(root)) return root;
  throw noKubeconfig(place, 'it holds no mapping');
}

/** Without what it tells of the text, which may hold a secret. */
function reasonOf({ reason = 'it cannot be read', mark }: Partial<YAMLException>): string {
  const line = mark === undefined ? '' : ` at line ${String(mark.line + 1)}`;
  return `${reason.replace(/(?:: | ?").*$/s, '')}${line}`;
}

function noKubeconfig(place: string, reason: string): ConfigError {
  return new ConfigError(`${place} is no kubeconfig: ${reason}`, { details: { file: place } });
}

/** Named entries of a list; the first of a name wins. */
function entries<T>(
  root: Mapping,
  [list, member]: readonly [string, string],
  read: (entry: Mapping) => T,
): Map<string, T> {
  const found = new Map<string, T>();
  const items: unknown = root[list];
  for (const item of Array.isArray(items) ? items.filter(isMapping) : []) {
    const name = textAt(item, 'name');
    if (name === undefined || found.has(name)) continue;
    found.set(name, read(mappingAt(item, member)));
  }
  return found;
}

function clusterOf(
  entry: Mapping,
  absolute: (path: string | undefined) => string | undefined,
): KubeconfigCluster {
  return {
    server: textAt(entry, 'server') ?? '',
    caFile: absolute(textAt(entry, 'certificate-authority')),
    caData: textAt(entry, 'certificate-authority-data'),
    insecureSkipTLSVerify: flagAt(entry, 'insecure-skip-tls-verify'),
    tlsServerName: textAt(entry, 'tls-server-name'),
    proxyUrl: textAt(entry, 'proxy-url'),
  };
}

function contextOf(entry: Mapping): KubeconfigContext {
  return { cluster: textAt(entry, 'cluster') ?? '', user: textAt(entry, 'user') };
}

interface Paths {
  readonly absolute: (path: string | undefined) => string | undefined;
  readonly folder: string | undefined;
}

function userOf(entry: Mapping, paths: Paths): KubeconfigUser {
  return {
    certFile: paths.absolute(textAt(entry, 'client-certificate')),
    certData: textAt(entry, 'client-certificate-data'),
    keyFile: paths.absolute(textAt(entry, 'client-key')),
    keyData: textAt(entry, 'client-key-data'),
    token: textAt(entry, 'token'),
    tokenFile: paths.absolute(textAt(entry, 'tokenFile')),
    username: textAt(entry, 'username'),
    password: textAt(entry, 'password'),
    exec: isMapping(entry['exec']) ? execOf(entry['exec'], paths.folder) : undefined,
    authProvider: isMapping(entry['auth-provider'])
      ? providerOf(entry['auth-provider'], paths)
      : undefined,
    impersonation: impersonationOf(entry),
  };
}

function execOf(entry: Mapping, folder: string | undefined): KubeconfigExec {
  const command = textAt(entry, 'command') ?? '';
  const env: unknown = entry['env'];
  return {
    // A bare name is looked up in PATH, anything else starts from the file's folder.
    command: command.includes('/') ? (absolutePath(command, folder) ?? command) : command,
    args: textsAt(entry, 'args'),
    env: (Array.isArray(env) ? env.filter(isMapping) : []).map((variable) => ({
      name: textAt(variable, 'name') ?? '',
      value: textAt(variable, 'value') ?? '',
    })),
    apiVersion: textAt(entry, 'apiVersion') ?? 'client.authentication.k8s.io/v1',
    installHint: textAt(entry, 'installHint'),
    provideClusterInfo: flagAt(entry, 'provideClusterInfo'),
  };
}

function providerOf(entry: Mapping, paths: Paths): KubeconfigUser['authProvider'] {
  const config: Record<string, string> = {};
  for (const [key, value] of Object.entries(mappingAt(entry, 'config'))) {
    if (typeof value === 'string') config[key] = value;
  }
  const authority = paths.absolute(config['idp-certificate-authority']);
  if (authority !== undefined) config['idp-certificate-authority'] = authority;
  return { name: textAt(entry, 'name') ?? '', config };
}

function impersonationOf(entry: Mapping): Impersonation {
  const extra = mappingAt(entry, 'as-user-extra');
  return {
    user: textAt(entry, 'as'),
    uid: textAt(entry, 'as-uid'),
    groups: textsAt(entry, 'as-groups'),
    extra: Object.fromEntries(Object.keys(extra).map((key) => [key, textsAt(extra, key)])),
  };
}

function absolutePath(path: string | undefined, folder: string | undefined): string | undefined {
  return path === undefined || folder === undefined || isAbsolute(path) ? path : join(folder, path);
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mappingAt(mapping: Mapping, key: string): Mapping {
  const value = mapping[key];
  return isMapping(value) ? value : {};
}

/** Text of a member; empty texts and the spellings of YAML's null count as absent. */
function textAt(mapping: Mapping, key: string): string | undefined {
  const value = mapping[key];
  return typeof value === 'string' && !['', 'null', '~'].includes(value) ? value : undefined;
}

function textsAt(mapping: Mapping, key: string): string[] {
  const value = mapping[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function flagAt(mapping: Mapping, key: string): boolean {
  return textAt(mapping, key)?.toLowerCase() === 'true';
}
