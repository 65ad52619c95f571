import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Agent, OutgoingHttpHeaders } from 'node:http';
import type { RequestOptions } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ConfigError } from '../../errors/config-error.ts';
import { readProblem } from '../../support/file-problem.ts';
import { knownAuthorities, putAuthoritiesAside } from '../authorities.ts';
import type { KubernetesConnection } from '../connection.ts';
import { type ChosenCluster, chooseCluster } from './choose-cluster.ts';
import { SYSTEM_PORTS, type Ports } from '../ports.ts';
import { isLoopback, proxyFor } from './proxy.ts';
import { authorizer } from './user-credentials.ts';

/** TLS settings of a connection, as Node takes them. */
export interface TlsSettings {
  readonly ca?: string | string[] | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized: boolean;
  /** What is made of authority, certificate and key: to make it for each connection would take longer than a short list. */
  readonly secureContext?: SecureContext | undefined;
}

/** Everything that is needed to reach one API server as one user. */
export interface ClusterAccess {
  readonly server: URL;
  /** The server's URL without credentials, for messages. */
  readonly displayServer: string;
  /** Where that URL was configured. */
  readonly serverOrigin: string;
  readonly context?: string | undefined;
  /** Whose credentials are used, for messages. */
  readonly identity: string;
  /** Whether the server is on this machine and reached without a proxy. */
  readonly loopback: boolean;
  readonly tls: TlsSettings;
  /** Agent that goes through a proxy; absent for direct connections. */
  readonly agent?: Agent | undefined;
  /** Headers that prove who asks, renewed where they have run out. */
  authorize(): Promise<OutgoingHttpHeaders>;
}

/**
 * Resolves a connection's settings into an access: reads files, asks a credential plugin once, and checks what can be
 * checked without the server.
 *
 * @throws {@link ConfigError} naming the place of what is wrong; {@link AccessDeniedError} when a plugin gives nothing.
 */
export async function openAccess(
  connection: KubernetesConnection,
  ports: Ports = SYSTEM_PORTS,
): Promise<ClusterAccess> {
  const chosen = await chooseCluster(connection, existsSync);
  const server = serverUrl(chosen);
  const authorize = authorizer(chosen, ports, connection.signal);
  const first = await authorize();
  const proxy = proxyFor(server, chosen.cluster.proxyUrl, connection.env);
  // Proxies and login providers are reached by the Kubernetes client, which trusts whom Node trusts.
  const isDirect = proxy === undefined && chosen.user.authProvider === undefined;
  const ownsTrust = connection.ownsProcess === true && isDirect;
  const tls = await tlsSettings(chosen, first, { ports, ownsTrust });
  return {
    server,
    displayServer: withoutSecrets(server),
    serverOrigin: chosen.serverOrigin,
    context: chosen.context,
    identity: chosen.identity,
    loopback: proxy === undefined && isLoopback(server),
    tls,
    agent: proxy === undefined ? undefined : await proxyAgent(server, proxy, tls),
    authorize: async () => (await authorize()).headers,
  };
}

function serverUrl({ cluster, serverOrigin }: ChosenCluster): URL {
  const text = cluster.server.includes('://') ? cluster.server : `https://${cluster.server}`;
  const url = URL.parse(text);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new ConfigError(
    `server "${cluster.server}" (from ${serverOrigin}) is no http or https URL`,
  );
}

function withoutSecrets(url: URL): string {
  const shown = new URL(url);
  shown.username = shown.password = shown.search = shown.hash = '';
  return shown.href.replace(/\/$/, '');
}

async function tlsSettings(
  chosen: ChosenCluster,
  plugin: { readonly cert?: string | undefined; readonly key?: string | undefined },
  { ports, ownsTrust }: { readonly ports: Ports; readonly ownsTrust: boolean },
): Promise<TlsSettings> {
  const { cluster, user } = chosen;
  const place = { server: chosen.serverOrigin, user: chosen.identity };
  const ca = await pemOf(
    cluster.caFile,
    cluster.caData,
    `certificate authority of ${place.server}`,
  );
  const cert =
    plugin.cert ??
    (await pemOf(user.certFile, user.certData, `client certificate of ${place.user}`));
  const key =
    plugin.key ?? (await pemOf(user.keyFile, user.keyData, `client key of ${place.user}`));
  if (cert !== undefined) refuseExpired(cert, place.user, ports);
  if (ownsTrust && ca !== undefined) putAuthoritiesAside();
  const settings: TlsSettings = {
    // An authority beside "skip verification" has no effect; kubeconfigs with both exist.
    ca: cluster.insecureSkipTLSVerify ? undefined : (ca ?? knownAuthorities()),
    cert,
    key,
    servername: cluster.tlsServerName,
    rejectUnauthorized: !cluster.insecureSkipTLSVerify,
  };
  return { ...settings, secureContext: contextOf(settings, place) };
}

async function pemOf(
  file: string | undefined,
  data: string | undefined,
  what: string,
): Promise<string | undefined> {
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { reason, hint } = readProblem(file, error);
    throw new ConfigError(`${what}: file ${file} cannot be read: ${reason}`, {
      hint,
      cause: error,
      details: { file },
    });
  }
}

/** The server would answer as if nobody had logged in, which says less. */
function refuseExpired(cert: string, identity: string, ports: Ports): void {
  const expires = expiryOf(cert);
  if (expires === undefined || expires >= ports.now()) return;
  const day = new Date(expires).toISOString();
  throw new ConfigError(`the client certificate of ${identity} expired at ${day}`, {
    hint: 'renew the certificate or log in again',
    details: { expiredAt: day },
  });
}

function expiryOf(cert: string): number | undefined {
  try {
    return Date.parse(new X509Certificate(cert).validTo);
  } catch {
    // Said better by what checks the settings as a whole.
    return undefined;
  }
}

interface Place {
  readonly server: string;
  readonly user: string;
}

function contextOf({ ca, cert, key }: TlsSettings, place: Place): SecureContext {
  if (cert !== undefined && key === undefined)
    throw new ConfigError(`${place.user} has a client certificate but no key`);
  if (cert === undefined && key !== undefined)
    throw new ConfigError(`${place.user} has a client key but no certificate`);
  try {
    return createSecureContext({ ca, cert, key });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = isUsable({ cert, key })
      ? `the certificate authority of ${place.server}`
      : `client certificate and key of ${place.user}`;
    throw new ConfigError(`${what} cannot be used: ${code ?? message}`, { cause: error });
  }
}

function isUsable(options: Pick<TlsSettings, 'cert' | 'key'>): boolean {
  try {
    createSecureContext(options);
    return true;
  } catch {
    return false;
  }
}

/** Agents for HTTP and SOCKS proxies come with the Kubernetes client. */
async function proxyAgent(server: URL, proxyUrl: string, tls: TlsSettings): Promise<Agent> {
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
  const config = new KubeConfig();
  const cluster = {
    name: 'proxied',
    server: server.href,
    skipTLSVerify: !tls.rejectUnauthorized,
    proxyUrl,
  };
  // Without a user the settings stay those that are passed.
  config.loadFromOptions({
    clusters: [cluster],
    users: [],
    contexts: [{ name: 'c', cluster: 'proxied', user: '' }],
    currentContext: 'c',
  });
  const options: RequestOptions = { ...tls };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw new ConfigError(`proxy ${safeProxy(proxyUrl)} cannot be used`, { cause: error });
  }
  return options.agent as Agent;
}

function safeProxy(proxyUrl: string): string {
  const url = URL.parse(proxyUrl);
  return url === null ? '(no URL)' : `${url.protocol}//${url.host}`;
}
