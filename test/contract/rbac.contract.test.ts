import { expect } from 'chai';
import type { ApiServer } from '../support/api-server-process.ts';
import { isWriting, RbacGround, type Run, type StepRuns, unnamed } from '../support/rbac-ground.ts';
import type { RightText } from '../support/rbac-proxy.ts';
import {
  applyManifest,
  ensureNamespace,
  manifestFiles,
  manifestsIn,
  NAMESPACE,
} from '../support/rbac-roles.ts';
import { BESIDE, type RoleName, type Scenario, SCENARIOS } from '../support/rbac-scenarios.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { GROUPS } from '../support/split-world.ts';

/** Lists by which an import asks whether a kind has a definition; being refused them says nothing to it. */
const PROBES = /^list (?:clusterinformations|ipamconfigs|ipamconfigurations)\./;

const sorted = (rights: Iterable<RightText>): readonly RightText[] => [...new Set(rights)].sort();

const sentIn = ({ requests }: Run): readonly RightText[] =>
  requests.filter(({ status }) => status !== 403).map(({ right }) => right);

/** What a run reads whatever the cluster holds, until it writes: lists, and objects of which there is only one. */
function firstReads({ granted, step }: StepRuns): readonly RightText[] {
  const sent = sentIn(granted);
  const end = sent.findIndex(isWriting);
  return sent
    .slice(0, end < 0 ? undefined : end)
    .filter((right) => right.startsWith('list ') || right.endsWith(' default'))
    .map(unnamed)
    .filter((right) => !step.optional?.some((plural) => right.includes(` ${plural}.`)));
}

function expectDenied({ status, stderr, requests, denied }: Run, args: string): void {
  expect(status, `${args}: ${stderr}`).to.equal(7);
  expect(requests.map(({ right }) => right).filter(isWriting), args).to.deep.equal([]);
  for (const right of denied) expect(stderr, args).to.contain(right);
}

for (const group of GROUPS) {
  describe(`roles of deploy/ on the real server, ${group.version}`, function () {
    this.timeout(600_000);

    let ground: RbacGround;
    const runs = new Map<Scenario, Promise<readonly StepRuns[]>>();

    before(async function () {
      ground = await RbacGround.start(this, group);
    });
    after(() => ground.stop());

    /** Each scenario is run once, whichever test asks first. */
    function runsOf(scenario: Scenario): Promise<readonly StepRuns[]> {
      const known = runs.get(scenario) ?? ground.run(scenario);
      runs.set(scenario, known);
      return known;
    }

    for (const [number, scenario] of SCENARIOS.entries()) {
      const { role, cluster } = scenario;
      const about = `${role}, cluster ${cluster}, ${number + 1}`;

      it(`are enough: ${about}`, async () => {
        for (const { step, granted } of await runsOf(scenario)) {
          expect(granted.status, `${step.args}: ${granted.stderr}`).to.equal(step.status ?? 0);
          const refused = granted.requests.filter(({ status }) => status === 403);
          const others = refused.map(({ right }) => right).filter((right) => !PROBES.test(right));
          expect(others, step.args).to.deep.equal([]);
        }
      });

      it(`are asked for by name where they are missing: ${about}`, async () => {
        for (const runs of await runsOf(scenario)) {
          const { step, nobody } = runs;
          if (!nobody) continue;
          expectDenied(nobody, step.args);
          expect(sorted(nobody.denied), step.args).to.deep.equal(sorted(firstReads(runs)));
        }
      });

      it(`are asked for before anything is written: ${about}`, async () => {
        const base = BESIDE[role];
        const has = new Set([...(base ? ground.granted(base) : [])].map(unnamed));
        const all = [...ground.granted(role)].map(unnamed);
        for (const { step, granted, less } of await runsOf(scenario)) {
          const written = sentIn(granted).filter(isWriting);
          for (const right of written.filter((right) => !right.includes('customresource')))
            expect([...granted.asked], step.args).to.include(right);
          if (!less) continue;
          expectDenied(less, step.args);
          const lacking = written.map(unnamed).filter((right) => !has.has(right));
          expect([...less.denied], step.args).to.include.members(lacking);
          expect(all, step.args).to.include.members([...less.denied]);
        }
      });
    }

    for (const role of new Set(SCENARIOS.map(({ role }) => role))) {
      it(`are all made use of: ${role}`, async () => {
        const used: RightText[] = [];
        for (const scenario of SCENARIOS) {
          if (scenario.role !== role) continue;
          for (const { granted } of await runsOf(scenario)) used.push(...sentIn(granted));
        }
        const base: ReadonlySet<RightText> = grantedBeside(role);
        expect(sorted(used.filter((right) => !base.has(right)))).to.deep.equal(
          sorted(ground.granted(role)),
        );
      });
    }

    function grantedBeside(role: RoleName): ReadonlySet<RightText> {
      const base = BESIDE[role];
      return base ? ground.granted(base) : new Set();
    }
  });
}

describe('manifests of deploy/', function () {
  this.timeout(120_000);

  let server: ApiServer;

  before(async function () {
    server = await requireApiServer(this);
    await ensureNamespace(server.admin, NAMESPACE);
  });

  for (const file of manifestFiles()) {
    it(`are taken by the server: ${file}`, async () => {
      const manifests = manifestsIn(file);
      expect(manifests).to.not.be.empty;
      for (const manifest of manifests)
        await applyManifest(server.admin, manifest, { isDryRun: true });
    });
  }

  it('give jobs the accounts, rights and volumes that other manifests make', () => {
    const all = manifestFiles().flatMap(manifestsIn);
    const named = (kind: string): readonly string[] =>
      all.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);
    const jobs = all.filter(({ kind }) => kind === 'CronJob');
    expect(jobs.map(({ metadata }) => metadata.name)).to.have.members([
      'ipamctl-check',
      'ipamctl-gc',
    ]);
    for (const job of jobs) {
      const spec = podOf(job as unknown as CronJob);
      expect(named('ServiceAccount')).to.include(spec.serviceAccountName);
      expect(named('ClusterRoleBinding')).to.include(spec.serviceAccountName);
      const claims = spec.volumes.flatMap(
        ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
      );
      expect(named('PersistentVolumeClaim')).to.include.members(claims);
      expect(claims).to.have.length(1);
    }
  });

  it('let jobs do nothing as root, with a capability, or to their own files', () => {
    const jobs = manifestFiles()
      .flatMap(manifestsIn)
      .filter(({ kind }) => kind === 'CronJob');
    for (const job of jobs) {
      const { securityContext, containers } = podOf(job as unknown as CronJob);
      expect(securityContext).to.deep.include({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of containers) {
        expect(container.securityContext).to.deep.equal({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });
});

/** What tests look into. */
interface PodSpec {
  readonly serviceAccountName: string;
  readonly securityContext: object;
  readonly containers: readonly { readonly securityContext: object }[];
  readonly volumes: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[];
}

interface CronJob {
  readonly spec: {
    readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: PodSpec } } };
  };
}

function podOf({ spec }: CronJob): PodSpec {
  return spec.jobTemplate.spec.template.spec;
}
