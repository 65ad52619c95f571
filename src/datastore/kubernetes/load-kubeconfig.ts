import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { ConfigError } from '../../errors/config-error.ts';
import { isAbsent, readProblem } from '../../support/file-problem.ts';
import type { KubernetesConnection, Sourced } from '../connection.ts';
import type { Kubeconfig } from './kubeconfig-entries.ts';
import { mergeKubeconfigs, parseKubeconfig } from './parse-kubeconfig.ts';

/**
 * Reads the kubeconfig that the connection means: the inline text, else the path or paths, else the one in the home
 * folder. Undefined when none is meant and none is there.
 *
 * @throws {@link ConfigError} when a single path does not exist, no path of several does, or one cannot be read.
 * Source: Calico libcalico-go, lib/backend/k8s; https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
 */
export async function loadKubeconfig(
  connection: KubernetesConnection,
): Promise<Kubeconfig | undefined> {
  const { kubeconfigInline, kubeconfig } = connection;
  if (kubeconfigInline)
    return parseKubeconfig({ text: kubeconfigInline.value, place: kubeconfigInline.origin });
  if (kubeconfig && kubeconfig.value !== '') return loadPaths(kubeconfig);
  if (connection.apiEndpoint || connection.homeDir === undefined) return undefined;
  return loadFile(join(connection.homeDir, '.kube', 'config'));
}

async function loadPaths({ value, origin }: Sourced<string>): Promise<Kubeconfig> {
  const paths = [...new Set(value.split(delimiter).filter((path) => path !== ''))];
  const configs = await Promise.all(paths.map((path) => loadFile(path)));
  const present = configs.filter((config) => config !== undefined);
  if (present.length > 0) return mergeKubeconfigs(present);
  const what =
    paths.length === 1
      ? `kubeconfig ${paths.join()} does not exist`
      : `none of these kubeconfigs exists: ${paths.join(', ')}`;
  throw new ConfigError(`${what} (from ${origin})`, { details: { files: paths, origin } });
}

/** Undefined when there is no such file. */
async function loadFile(path: string): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    const { reason, hint } = readProblem(path, error);
    throw new ConfigError(`kubeconfig ${path} cannot be read: ${reason}`, {
      hint,
      cause: error,
      details: { file: path },
    });
  }
  return parseKubeconfig({ text, place: path, folder: dirname(path) });
}
