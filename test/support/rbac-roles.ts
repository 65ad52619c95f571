/** The manifests of deploy/ on an API server: roles as they are shipped, and users who have one. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../src/support/json.ts';
import { type ApiClient, demand } from './api-client.ts';
import { NAMED_RESOURCES, rightText, type RightText } from './rbac-proxy.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

/** Namespace of everything in deploy/. */
export const NAMESPACE = 'ipamctl';

const PLACES: Readonly<Record<string, string>> = {
  ClusterRole: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  ClusterRoleBinding: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  ServiceAccount: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`,
  PersistentVolumeClaim: `/api/v1/namespaces/${NAMESPACE}/persistentvolumeclaims`,
  CronJob: `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`,
};

/** A rule of a role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A manifest, as far as tests look into it. */
export type Manifest = JsonObject & {
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string };
};

/** Files of deploy/ that kubectl applies, by their path in it. */
export function manifestFiles(): readonly string[] {
  const own = readdirSync(DEPLOY).filter((name) => name.endsWith('.yaml'));
  const roles = readdirSync(join(DEPLOY, 'rbac')).map((name) => `rbac/${name}`);
  return [...own, ...roles].sort();
}

/** The documents of such a file. */
export function manifestsIn(file: string): readonly Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(DEPLOY, file), 'utf8'));
  return documents.map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${String(document.errors[0])}`);
    return document.toJS() as Manifest;
  });
}

/** Applies a manifest as `kubectl apply --server-side` does. */
export async function applyManifest(
  client: ApiClient,
  manifest: Manifest,
  { isDryRun = false } = {},
): Promise<void> {
  const place = PLACES[manifest.kind];
  if (place === undefined) throw new Error(`deploy/ is not expected to hold a ${manifest.kind}`);
  const query = `fieldManager=ipamctl-tests&force=true&fieldValidation=Strict${isDryRun ? '&dryRun=All' : ''}`;
  await demand(client, {
    method: 'PATCH',
    path: `${place}/${manifest.metadata.name}?${query}`,
    body: manifest,
    type: 'application/apply-patch+yaml',
  });
}

/** Removes it again. */
export async function removeManifest(
  client: ApiClient,
  { kind, metadata }: Manifest,
): Promise<void> {
  const path = `${PLACES[kind] ?? ''}/${metadata.name}`;
  await demand(client, { method: 'DELETE', path, tolerate: [404] });
}

/** Makes a namespace where there is none. */
export async function ensureNamespace(client: ApiClient, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await demand(client, { method: 'POST', path: '/api/v1/namespaces', body, tolerate: [409] });
}

/** All that a role grants; of kinds in {@link NAMED_RESOURCES}, by name. */
export function rightsOfRole(role: Manifest): ReadonlySet<RightText> {
  const rules = role['rules'] as unknown as readonly Rule[];
  return new Set(rules.flatMap(rightsOfRule));
}

function rightsOfRule({ apiGroups, resources, verbs, resourceNames }: Rule): readonly RightText[] {
  return apiGroups.flatMap((apiGroup) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) => {
        if (resourceNames === undefined) return rightText({ verb, resource, apiGroup });
        if (!NAMED_RESOURCES.has(resource))
          throw new Error(`names of ${resource} are not expected`);
        return resourceNames.map((name) => rightText({ verb, resource, apiGroup, name }));
      }),
    ),
  );
}

const READING: ReadonlySet<string> = new Set(['get', 'list']);

/** The role without what writes, under another name. */
export function readingHalf(role: Manifest, name: string): Manifest {
  const rules = (role['rules'] as unknown as readonly Rule[])
    .map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => READING.has(verb)) }))
    .filter(({ verbs }) => verbs.length > 0);
  return { ...role, metadata: { name }, rules: rules as unknown as JsonObject[] };
}

/** A service account, as deploy/ makes them. */
export function anAccount(name: string): Manifest {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: NAMESPACE } };
}

/** Gives an account a role in the whole cluster. */
export function aBinding(account: string, role: string): Manifest {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${account}-${role}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace: NAMESPACE }],
  };
}

/** A token with which a program is the service account. */
export async function tokenOf(client: ApiClient, account: string): Promise<string> {
  const { body } = await demand(client, {
    method: 'POST',
    path: `${PLACES['ServiceAccount'] ?? ''}/${account}/token`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  });
  return (body as { readonly status: { readonly token: string } }).status.token;
}

/** Path of a kubeconfig of that token. */
export function kubeconfigOf(server: string, token: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'ipamctl-rbac-')), 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server } }],
    users: [{ name: 'account', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'account' } }],
    'current-context': 'test',
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
