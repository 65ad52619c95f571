/** A real API server with the roles of deploy/, and runs of the program as users who have one, half of one, or none. */
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { parseJson } from '../../src/support/json.ts';
import { apiClient } from './api-client.ts';
import type { ApiServer } from './api-server-process.ts';
import { allDefinitions, applyCarriedCrds, applyCrds, removeCrds } from './crds.ts';
import { type ClusterName, clusterObjects, everyKindFile } from './rbac-cluster.ts';
import { type ProxiedRequest, RightsProxy, type RightText } from './rbac-proxy.ts';
import {
  aBinding,
  anAccount,
  applyManifest,
  ensureNamespace,
  kubeconfigOf,
  type Manifest,
  manifestsIn,
  NAMESPACE,
  readingHalf,
  removeManifest,
  rightsOfRole,
  tokenOf,
} from './rbac-roles.ts';
import { BESIDE, type RoleName, type Scenario, type Step } from './rbac-scenarios.ts';
import { runCli } from './run-cli.ts';
import { seedCluster } from './seed-cluster.ts';
import { requireApiServer } from './shared-servers.ts';
import type { Group } from './split-world.ts';
import { wipe } from './wipe.ts';

const ROLE_FILES = ['rbac/read-only.yaml', 'rbac/release-and-repair.yaml', 'rbac/migrate.yaml'];
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const SETTLE_MS = 20_000;
const WRITING = /^(?:create|update|patch|delete) /;

/** Who runs a command: with its role, with all of it but what writes (or, of a role beside another, without it), or with none. */
export type Account = 'granted' | 'less' | 'nobody';

/** What a run left behind. */
export interface Run {
  readonly status: number | undefined;
  readonly stderr: string;
  readonly requests: readonly ProxiedRequest[];
  /** Rights that access reviews asked about. */
  readonly asked: ReadonlySet<RightText>;
  /** Rights that the error names, without names of objects. */
  readonly denied: ReadonlySet<RightText>;
}

/** A step with its runs; one that makes ground was run with the role alone, one that writes nothing not with less. */
export interface StepRuns {
  readonly step: Step;
  readonly granted: Run;
  readonly less?: Run | undefined;
  readonly nobody?: Run | undefined;
}

/** Right without the name of an object. */
export function unnamed(right: RightText): RightText {
  return right.split(' ').slice(0, 2).join(' ');
}

/** Whether somebody with it can change something. */
export function isWriting(right: RightText): boolean {
  return WRITING.test(right);
}

/** One API server with the roles. */
export class RbacGround {
  readonly roles: ReadonlyMap<string, Manifest>;
  readonly #server: ApiServer;
  readonly #group: Group;
  readonly #proxy: RightsProxy;
  readonly #applied: Manifest[] = [];
  readonly #kubeconfigs = new Map<string, string>();

  private constructor(server: ApiServer, group: Group, proxy: RightsProxy) {
    this.#server = server;
    this.#group = group;
    this.#proxy = proxy;
    const roles = ROLE_FILES.flatMap(manifestsIn).filter(({ kind }) => kind === 'ClusterRole');
    this.roles = new Map(roles.map((role) => [role.metadata.name, role]));
  }

  /** The shared server, serving one group of Calico and KubeVirt, with everything of deploy/rbac. */
  static async start(context: Mocha.Context, group: Group): Promise<RbacGround> {
    const groups = [groupName(group), 'kubevirt.io'] as const;
    const server = await requireApiServer(context, groups, { carried: true });
    const ground = new RbacGround(server, group, await new RightsProxy(server).start());
    for (const name of [NAMESPACE, 'shop']) await ensureNamespace(server.admin, name);
    for (const manifest of ROLE_FILES.flatMap(manifestsIn)) await ground.#apply(manifest);
    await ground.#addAccount('test-nobody', []);
    for (const role of ground.roles.values()) await ground.#addAccountsOf(role);
    return ground;
  }

  /** What a role grants in this group of Calico, and outside of both. */
  granted(role: RoleName): ReadonlySet<RightText> {
    const manifest = this.roles.get(role);
    if (!manifest) throw new Error(`deploy/rbac has no role ${role}`);
    return new Set([...rightsOfRole(manifest)].filter((right) => !isOfOther(right, this.#group)));
  }

  /** Runs a scenario: each step as nobody, with less than its role, and with its role. */
  async run({ role, cluster, steps }: Scenario): Promise<readonly StepRuns[]> {
    await this.#reset(cluster);
    const folder = await this.#folder();
    const runs: StepRuns[] = [];
    for (const step of steps) {
      const runAs = (account: Account): Promise<Run> =>
        this.#runAs(account, role, { step, folder });
      const isReading = role === 'ipamctl-read-only' || step.writesNothing === true;
      const nobody = step.isGround ? undefined : await runAs('nobody');
      const less = step.isGround || isReading ? undefined : await runAs('less');
      runs.push({ step, nobody, less, granted: await runAs('granted') });
    }
    if (cluster === 'without definitions') await this.#serveCalico();
    return runs;
  }

  async stop(): Promise<void> {
    for (const manifest of [...this.#applied].reverse())
      await removeManifest(this.#server.admin, manifest);
    await this.#proxy.stop();
  }

  async #runAs(
    account: Account,
    role: RoleName,
    { step, folder }: { readonly step: Step; readonly folder: string },
  ): Promise<Run> {
    const proxy = this.#proxy;
    proxy.clear();
    proxy.isRacing = account === 'granted' && step.isRacing === true;
    proxy.isLossy = account === 'granted' && step.isLossy === true;
    const kubeconfig = this.#kubeconfigs.get(accountName(account, role)) ?? '';
    const args = step.args.replaceAll('FOLDER', folder).split(' ');
    const { status, stderr } = await runCli(
      [...args, '--kubeconfig', kubeconfig, '--format', 'json', '--quiet'],
      { env: { XDG_STATE_HOME: folder } },
    );
    const denied = new Set(status === 7 ? deniedIn(stderr) : []);
    return { status, stderr, requests: [...proxy.requests], asked: new Set(proxy.asked), denied };
  }

  async #reset(cluster: ClusterName): Promise<void> {
    await wipe(this.#server.admin);
    if (cluster === 'without definitions')
      await removeCrds(this.#server.admin, [groupName(this.#group)]);
    await seedCluster(this.#server.admin, clusterObjects(cluster, this.#group.version));
  }

  async #serveCalico(): Promise<void> {
    await applyCrds(this.#server.admin, [groupName(this.#group)]);
    await applyCarriedCrds(this.#server.admin, [groupName(this.#group)]);
  }

  async #folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'ipamctl-rbac-'));
    await writeFile(join(folder, 'etcd.calico'), everyKindFile());
    const definitions = allDefinitions(groupName(this.#group));
    const text = definitions.map((definition) => stringify(definition)).join('---\n');
    await writeFile(join(folder, 'definitions.yaml'), text);
    return folder;
  }

  async #addAccountsOf(role: Manifest): Promise<void> {
    const { name } = role.metadata;
    const base = BESIDE[name as RoleName];
    await this.#addAccount(accountName('granted', name), base ? [base, name] : [name]);
    if (base) {
      await this.#addAccount(accountName('less', name), [base]);
      return;
    }
    const half = readingHalf(role, accountName('less', name));
    await this.#apply(half);
    await this.#addAccount(half.metadata.name, [half.metadata.name]);
  }

  /** Accounts of deploy/ have their bindings from there. */
  async #addAccount(account: string, roles: readonly string[]): Promise<void> {
    const isShipped = this.#applied.some(
      ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === account,
    );
    if (!isShipped) {
      await this.#apply(anAccount(account));
      for (const role of roles) await this.#apply(aBinding(account, role));
    }
    const token = await tokenOf(this.#server.admin, account);
    this.#kubeconfigs.set(account, kubeconfigOf(this.#proxy.url, token));
    if (roles.length > 0) await this.#settle(token);
  }

  async #apply(manifest: Manifest): Promise<void> {
    await applyManifest(this.#server.admin, manifest);
    this.#applied.push(manifest);
  }

  /** Waits until the server goes by the roles of the account. */
  async #settle(token: string): Promise<void> {
    const ca = readFileSync(this.#server.caFile, 'utf8');
    const client = apiClient({ server: this.#server.server, ca, token });
    const attributes = { verb: 'list', group: groupName(this.#group), resource: 'ipamblocks' };
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: attributes },
    };
    const deadline = Date.now() + SETTLE_MS;
    try {
      for (;;) {
        const answer = await client.request('POST', REVIEWS, { body });
        const { status } = answer.body as { readonly status?: { readonly allowed?: boolean } };
        if (status?.allowed === true) return;
        if (Date.now() > deadline) throw new Error('the server does not go by the roles');
        await delay(20);
      }
    } finally {
      client.close();
    }
  }
}

function groupName({ version }: Group): 'crd.projectcalico.org' | 'projectcalico.org' {
  return version === 'projectcalico.org/v3' ? 'projectcalico.org' : 'crd.projectcalico.org';
}

/** Whether a right is of the group of Calico that is not served; of a definition, its name tells. */
function isOfOther(right: RightText, group: Group): boolean {
  const [, resource = '', definition] = right.split(' ');
  const text = resource.startsWith('customresourcedefinitions.') ? (definition ?? '') : resource;
  const apiGroup = text.slice(text.indexOf('.') + 1);
  return apiGroup.endsWith('projectcalico.org') && apiGroup !== groupName(group);
}

function accountName(account: Account, role: string): string {
  if (account === 'nobody') return 'test-nobody';
  const isShipped = BESIDE[role as RoleName] === undefined;
  return account === 'granted' && isShipped ? role : `test-${account}-${role}`;
}

/** Rights that the error document on stderr names. */
function deniedIn(stderr: string): readonly RightText[] {
  const document = parseJson(stderr.slice(stderr.indexOf('{'))) as unknown as {
    readonly details: {
      readonly denied: readonly { verb: string; resource: string; apiGroup?: string }[];
    };
  };
  return document.details.denied.map(
    ({ verb, resource, apiGroup }) =>
      `${verb} ${resource}${apiGroup === undefined ? '' : `.${apiGroup}`}`,
  );
}
