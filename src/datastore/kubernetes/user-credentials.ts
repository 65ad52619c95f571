import { type SpawnOptions, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { ConfigError } from '../../errors/config-error.ts';
import { isAbsent, readProblem } from '../../support/file-problem.ts';
import type { ChosenCluster } from './choose-cluster.ts';
import type { KubeconfigExec } from './kubeconfig-entries.ts';
import type { Ports } from '../ports.ts';

/** What a request needs to prove who asks. */
export interface Authorization {
  readonly headers: OutgoingHttpHeaders;
  /** PEM of a certificate that a credential plugin gave. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Gives the authorization for the next request; renews it where it has run out. */
export type Authorize = () => Promise<Authorization>;

/** A token file is read again this often, as Kubernetes rotates it. */
const TOKEN_FILE_MS = 60_000;

/**
 * How the chosen user proves who it is: a token, a token file, a password, a credential plugin or a login provider.
 * Client certificates are not part of it, but those that a plugin gives.
 *
 * @param signal Ends a plugin that waits for a login which nobody gives.
 */
export function authorizer(chosen: ChosenCluster, ports: Ports, signal?: AbortSignal): Authorize {
  const { user } = chosen;
  const base = impersonationHeaders(chosen);
  const bearer = (token: string): Authorization => ({
    headers: { ...base, Authorization: `Bearer ${token.trim()}` },
  });
  if (user.tokenFile !== undefined) {
    const read = tokenFileReader(user.tokenFile, chosen.identity, ports);
    return async () => bearer(await read());
  }
  if (user.token !== undefined) return constant(bearer(user.token));
  if (user.username !== undefined) {
    const pair = Buffer.from(`${user.username}:${user.password ?? ''}`, 'utf8').toString('base64');
    return constant({ headers: { ...base, Authorization: `Basic ${pair}` } });
  }
  if (user.exec) return shared(execAuthorizer(chosen, user.exec, { base, signal }));
  if (user.authProvider) return shared(providerAuthorizer(chosen, base));
  return constant({ headers: base });
}

function constant(authorization: Authorization): Authorize {
  return () => Promise.resolve(authorization);
}

/** Lets requests that ask at the same time share one answer, so that a plugin is not started for each of them. */
function shared(authorize: Authorize): Authorize {
  let pending: Promise<Authorization> | undefined;
  return () => {
    pending ??= authorize().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

function tokenFileReader(path: string, identity: string, ports: Ports): () => Promise<string> {
  let token: Promise<string> | undefined;
  let readAt = 0;
  return () => {
    if (token === undefined || ports.now() - readAt > TOKEN_FILE_MS) {
      readAt = ports.now();
      token = readFile(path, 'utf8').catch((error: unknown) => {
        const { reason, hint } = readProblem(path, error);
        throw new ConfigError(`token file ${path} of ${identity} cannot be read: ${reason}`, {
          hint,
          cause: error,
        });
      });
    }
    return token;
  };
}

/** Runs the plugin through the authenticator of the Kubernetes client, which keeps what it prints until it runs out. */
function execAuthorizer(
  chosen: ChosenCluster,
  exec: KubeconfigExec,
  { base, signal }: { base: OutgoingHttpHeaders; signal: AbortSignal | undefined },
): Authorize {
  if (exec.command === '') throw new ConfigError(`exec of ${chosen.identity} names no command`);
  const env = [...exec.env, { name: 'KUBERNETES_EXEC_INFO', value: execInfo(chosen, exec) }];
  const user = { name: chosen.identity, exec: { command: exec.command, args: exec.args, env } };
  let plugin: Promise<ExecAuth> | undefined;
  return async () => {
    // Its own file: the package as a whole takes ten times as long to load.
    plugin ??= import('@kubernetes/client-node/dist/exec_auth.js').then((module) =>
      Object.assign(new module.ExecAuth(), { execFn: starter(signal) }),
    );
    const options: { headers: OutgoingHttpHeaders; cert?: string; key?: string } = {
      headers: { ...base },
    };
    try {
      await (await plugin).applyAuthentication(user, options);
    } catch (error) {
      signal?.throwIfAborted();
      throw execFailure(error, chosen, exec);
    }
    return options;
  };
}

/** Starts programs that end with the signal; what they started themselves is not waited for either. */
function starter(signal: AbortSignal | undefined) {
  return (command: string, args: readonly string[], options: SpawnOptions) => {
    const child = spawn(command, args, { ...options, ...(signal ? { signal } : {}) });
    const letGo = (): void => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    signal?.addEventListener('abort', letGo, { once: true });
    child.once('close', () => signal?.removeEventListener('abort', letGo));
    return child;
  };
}

function execFailure(error: unknown, chosen: ChosenCluster, exec: KubeconfigExec): Error {
  const options = { cause: error, hint: exec.installHint?.trim().split('\n', 1)[0] };
  if (isAbsent(error)) {
    return new ConfigError(
      `credential plugin ${exec.command} of ${chosen.identity} is not installed`,
      options,
    );
  }
  const said =
    error instanceof SyntaxError || error instanceof TypeError
      ? 'it printed no credential'
      : firstLine(error);
  return new AccessDeniedError(
    `credential plugin ${exec.command} of ${chosen.identity} fails: ${said}`,
    {
      ...options,
      hint: options.hint ?? 'log in again with the tool that the plugin belongs to',
    },
  );
}

/**
 * What a plugin is told about its caller.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
function execInfo({ cluster }: ChosenCluster, exec: KubeconfigExec): string {
  const target = {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.insecureSkipTLSVerify || undefined,
    'certificate-authority-data': cluster.caData,
    'proxy-url': cluster.proxyUrl,
  };
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion: exec.apiVersion,
    spec: { interactive: false, ...(exec.provideClusterInfo ? { cluster: target } : {}) },
  });
}

/** Login providers, OIDC first of all, through the KubeConfig of the Kubernetes client. */
function providerAuthorizer(chosen: ChosenCluster, base: OutgoingHttpHeaders): Authorize {
  const provider = chosen.user.authProvider;
  let config: Promise<KubeConfig> | undefined;
  return async () => {
    config ??= import('@kubernetes/client-node/dist/config.js').then((module) => {
      const loaded = new module.KubeConfig();
      // Only the user matters here; the connection itself is ours.
      loaded.loadFromClusterAndUser(
        { name: 'cluster', server: 'https://unused.invalid', skipTLSVerify: true },
        { name: 'user', authProvider: { name: provider?.name, config: { ...provider?.config } } },
      );
      return loaded;
    });
    const options: { headers: OutgoingHttpHeaders } = { headers: { ...base } };
    try {
      await (await config).applyToHTTPSOptions(options);
    } catch (error) {
      throw new AccessDeniedError(
        `login provider ${String(provider?.name)} of ${chosen.identity} gives no credentials: ${firstLine(error)}`,
        { cause: error, hint: 'log in again' },
      );
    }
    return { headers: options.headers };
  };
}

/** Source: https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/ */
function impersonationHeaders({ user, identity }: ChosenCluster): OutgoingHttpHeaders {
  const { impersonation } = user;
  const extra = Object.entries(impersonation.extra);
  if (impersonation.user === undefined) {
    if (impersonation.groups.length + extra.length > 0)
      throw new ConfigError(`${identity} acts as a group but as no user`);
    return {};
  }
  return {
    'Impersonate-User': impersonation.user,
    ...(impersonation.uid === undefined ? {} : { 'Impersonate-Uid': impersonation.uid }),
    ...(impersonation.groups.length === 0
      ? {}
      : { 'Impersonate-Group': [...impersonation.groups] }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`Impersonate-Extra-${encodeURIComponent(key)}`, [...values]]),
    ),
  };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1)[0]?.slice(0, 300) ?? '';
}
