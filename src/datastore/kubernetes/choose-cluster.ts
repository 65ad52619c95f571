import { ConfigError } from '../../errors/config-error.ts';
import type { KubernetesConnection } from '../connection.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from './kubeconfig-entries.ts';
import { loadKubeconfig } from './load-kubeconfig.ts';

/** A cluster and who goes there, with where both came from. */
export interface ChosenCluster {
  readonly context?: string | undefined;
  readonly cluster: KubeconfigCluster;
  /** Where the server's URL came from. */
  readonly serverOrigin: string;
  readonly user: KubeconfigUser;
  /** Whose credentials these are, such as `user "admin" of /home/ops/.kube/config`. */
  readonly identity: string;
}

/** Where Kubernetes puts the credentials of a pod. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

const NOBODY: KubeconfigUser = { impersonation: { groups: [], extra: {} } };

/**
 * Decides where to go and as whom, from kubeconfig, overrides and the pod's own credentials.
 *
 * @param exists Whether there is a file of that path.
 * @throws {@link ConfigError} naming the place of the value that is wrong.
 * Source: Calico libcalico-go, lib/backend/k8s, and Kubernetes client-go, tools/clientcmd.
 */
export async function chooseCluster(
  connection: KubernetesConnection,
  exists: (path: string) => boolean,
): Promise<ChosenCluster> {
  const kubeconfig = await loadKubeconfig(connection);
  const chosen =
    (kubeconfig && fromKubeconfig(kubeconfig, connection)) ??
    fromEndpoint(connection) ??
    fromPod(connection, exists);
  if (!chosen) {
    throw new ConfigError('no cluster is configured', {
      hint: 'set KUBECONFIG or --kubeconfig for a cluster, or --snapshot for a file',
    });
  }
  return connection.kubeconfigInline ? chosen : withOverrides(chosen, connection);
}

function fromKubeconfig(kubeconfig: Kubeconfig, connection: KubernetesConnection): ChosenCluster {
  // Overrides do not apply to an inline kubeconfig, the context included.
  const wanted = connection.kubeconfigInline ? undefined : connection.context;
  const name = wanted?.value ?? kubeconfig.currentContext?.value;
  const known = [...kubeconfig.contexts.keys()].toSorted();
  const details = { files: kubeconfig.place, contexts: known };
  if (known.length === 0) {
    throw new ConfigError(`${kubeconfig.place} describes no cluster: it has no context`, {
      hint: 'name another file with --kubeconfig or KUBECONFIG',
      details,
    });
  }
  const choice = `it has: ${known.join(', ')}`;
  if (name === undefined) {
    throw new ConfigError(`${kubeconfig.place} has no current-context`, {
      hint: `choose one with --context; ${choice}`,
      details,
    });
  }
  const context = kubeconfig.contexts.get(name);
  if (!context) {
    const origin = wanted
      ? wanted.origin
      : `current-context of ${kubeconfig.currentContext?.place ?? ''}`;
    throw new ConfigError(
      `context "${name}" (from ${origin}) does not exist in ${kubeconfig.place}; ${choice}`,
      { details },
    );
  }
  return {
    context: name,
    ...clusterOfContext(kubeconfig, name, context.value.cluster),
    ...userOfContext(kubeconfig, name, context.value.user),
  };
}

function clusterOfContext(
  kubeconfig: Kubeconfig,
  context: string,
  name: string,
): Pick<ChosenCluster, 'cluster' | 'serverOrigin'> {
  const cluster = kubeconfig.clusters.get(name);
  if (!cluster) throw missingEntry(kubeconfig, context, `cluster "${name}"`);
  const serverOrigin = `cluster "${name}" of ${cluster.place}`;
  if (cluster.value.server === '') throw new ConfigError(`${serverOrigin} has no server`);
  return { cluster: cluster.value, serverOrigin };
}

function userOfContext(
  kubeconfig: Kubeconfig,
  context: string,
  name: string | undefined,
): Pick<ChosenCluster, 'user' | 'identity'> {
  if (name === undefined)
    return { user: NOBODY, identity: `context "${context}", which names no user,` };
  const user = kubeconfig.users.get(name);
  if (!user) throw missingEntry(kubeconfig, context, `user "${name}"`);
  return { user: user.value, identity: `user "${name}" of ${user.place}` };
}

function missingEntry(kubeconfig: Kubeconfig, context: string, what: string): ConfigError {
  return new ConfigError(
    `context "${context}" names ${what}, which ${kubeconfig.place} does not have`,
  );
}

function fromEndpoint({ apiEndpoint }: KubernetesConnection): ChosenCluster | undefined {
  if (!apiEndpoint) return undefined;
  return {
    cluster: { server: apiEndpoint.value, insecureSkipTLSVerify: false },
    serverOrigin: apiEndpoint.origin,
    user: NOBODY,
    identity: 'nobody (no credentials are configured)',
  };
}

/** Credentials that Kubernetes gives to a pod. */
function fromPod(
  { env }: KubernetesConnection,
  exists: (path: string) => boolean,
): ChosenCluster | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  const tokenFile = `${SERVICE_ACCOUNT}/token`;
  if (!host || !port || !exists(tokenFile)) return undefined;
  const caFile = `${SERVICE_ACCOUNT}/ca.crt`;
  return {
    cluster: {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      caFile: exists(caFile) ? caFile : undefined,
      insecureSkipTLSVerify: false,
    },
    serverOrigin: 'environment variable KUBERNETES_SERVICE_HOST',
    user: { ...NOBODY, tokenFile },
    identity: `the service account of this pod (${tokenFile})`,
  };
}

function withOverrides(chosen: ChosenCluster, connection: KubernetesConnection): ChosenCluster {
  const { apiEndpoint, caFile, insecureSkipTLSVerify } = connection;
  const cluster: KubeconfigCluster = {
    ...chosen.cluster,
    ...(apiEndpoint ? { server: apiEndpoint.value } : {}),
    ...(caFile ? { caFile: caFile.value, caData: undefined } : {}),
    ...(insecureSkipTLSVerify ? { insecureSkipTLSVerify: insecureSkipTLSVerify.value } : {}),
  };
  const serverOrigin = apiEndpoint?.origin ?? chosen.serverOrigin;
  return { ...chosen, cluster, serverOrigin, ...userWithOverrides(chosen, connection) };
}

function userWithOverrides(
  { user, identity }: ChosenCluster,
  { certFile, keyFile, token }: KubernetesConnection,
): Pick<ChosenCluster, 'user' | 'identity'> {
  const overridden: KubeconfigUser = {
    ...user,
    ...(certFile ? { certFile: certFile.value, certData: undefined } : {}),
    ...(keyFile ? { keyFile: keyFile.value, keyData: undefined } : {}),
    // One way to prove who asks: a token that was given stands for every other.
    ...(token
      ? {
          token: token.value,
          tokenFile: undefined,
          exec: undefined,
          authProvider: undefined,
          username: undefined,
        }
      : {}),
  };
  const origin = token?.origin ?? certFile?.origin;
  return {
    user: overridden,
    identity: origin === undefined ? identity : `the credentials from ${origin}`,
  };
}
