import { expect } from 'chai';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { CancelledError } from '../../../../src/errors/cancelled-error.ts';
import { ConfigError } from '../../../../src/errors/config-error.ts';
import { DataError } from '../../../../src/errors/data-error.ts';
import { InternalError } from '../../../../src/errors/internal-error.ts';
import { PartialError } from '../../../../src/errors/partial-error.ts';
import { PreconditionError } from '../../../../src/errors/precondition-error.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import { UnsupportedError } from '../../../../src/errors/unsupported-error.ts';
import {
  type MigrationSide,
  showMigrationStatus,
} from '../../../../src/operations/show-migration-status.ts';
import { planUnlock } from '../../../../src/operations/unlock-datastore.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';
import { brokenSide, sideOf, statusOf } from '../../../support/migration-sides.ts';
import { contextOf } from '../../../support/scripted-datastore.ts';
import { aClusterObject, GROUPS, splitWorld } from '../../../support/split-world.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const GUID = '0123456789abcdef0123456789abcdef';
const CLUSTER = '/calico/resources/v3/projectcalico.org/clusterinformations/default';
const [GROUP] = GROUPS;

const NEVER = new AbortController().signal;

describe('operations/unlock, both sides of a migration', () => {
  let etcd: MemoryEtcd;

  beforeEach(() => {
    etcd = new MemoryEtcd();
    const spec = { clusterGUID: GUID, calicoVersion: 'v3.33.0', datastoreReady: false };
    etcd.put(
      CLUSTER,
      JSON.stringify({ kind: 'ClusterInformation', metadata: { name: 'default' }, spec }),
    );
  });

  const here = () => contextOf(new EtcdDatastore(etcd));

  function there(spec: Record<string, string | boolean>) {
    return contextOf(splitWorld(GROUP, [aClusterObject({ clusterGUID: GUID, ...spec })]));
  }

  const plan = (other: ReturnType<typeof there> | undefined, isForced = false) =>
    planUnlock(here(), { isForced, isMismatchAllowed: false, other });

  it('keeps one side locked while the other is not, and names both', async () => {
    const error = await failureOf(plan(there({ datastoreReady: true })));
    expect(error).to.be.instanceOf(PreconditionError).and.include({ status: 6 });
    expect(error.message).to.include(`etcd at ${etcd.displayEndpoints} stays locked`);
    expect(error.message).to.include('the Kubernetes datastore');
    expect(etcd.text(CLUSTER)).to.include('"datastoreReady":false');
  });

  it('unlocks by force, and says so', async () => {
    const mutation = await plan(there({ datastoreReady: true }), true);
    await mutation.apply();
    expect(etcd.text(CLUSTER)).to.include('"datastoreReady":true');
  });

  for (const [what, other] of [
    ['the other side is locked', there({ datastoreReady: false })],
    [
      'the other cluster is another one',
      there({ clusterGUID: 'f'.repeat(32), datastoreReady: true }),
    ],
    ['the cluster holds nothing of Calico', contextOf(splitWorld(GROUP, []))],
    ['there is no other side', undefined],
  ] as const) {
    it(`unlocks when ${what}`, async () => {
      await (await plan(other)).apply();
      expect(etcd.text(CLUSTER)).to.include('"datastoreReady":true');
    });
  }

  it('shows the state of both', async () => {
    const { document } = await statusOf(here(), there({ datastoreReady: true }));
    expect(
      document.sides.map((side) => [side.side, 'locked' in side && side.locked]),
    ).to.deep.equal([
      ['etcd', true],
      ['memory', false],
    ]);
  });

  for (const place of ['first', 'second'] as const) {
    const inOrder = (broken: MigrationSide) => {
      const other = sideOf(there({ datastoreReady: true }));
      return place === 'first' ? [broken, other] : [other, broken];
    };

    for (const error of [
      new UnavailableError('etcd does not answer', { hint: 'look at it' }),
      new AccessDeniedError('etcd does not accept the user'),
      new UnsupportedError('it does not use Calico'),
      new DataError('a row cannot be read'),
      new ConfigError('no certificate'),
    ])
      it(`shows one side when the ${place} gives ${error.code}`, async () => {
        const outcome = await showMigrationStatus(inOrder(brokenSide('etcd', error)), NEVER);
        const [broken, other] =
          place === 'first' ? outcome.document.sides : [...outcome.document.sides].reverse();
        const { code, message, hint } = error;
        expect(broken).to.deep.include({ side: 'etcd', error: { code, message, hint } });
        expect(other).to.include({ side: 'memory', locked: false });
        expect(outcome.verdict).to.equal('partial');
        expect(outcome.error).to.be.instanceOf(PartialError);
        expect(outcome.error?.message).to.include(`etcd cannot be read: ${message}`);
        expect(outcome.error?.hint).to.equal(hint);
      });
  }

  it('shows a side whose rows cannot be had, too', async () => {
    etcd.onRequest = () => {
      throw new UnavailableError('etcd does not answer');
    };
    const sides = [sideOf(here()), sideOf(there({ datastoreReady: true }))];
    const { document, verdict } = await showMigrationStatus(sides, NEVER);
    expect(verdict).to.equal('partial');
    expect(document.sides[0]).to.deep.include({ side: 'etcd' }).and.to.have.property('error');
  });

  it('has the status of the first error when no side can be read, and shows both', async () => {
    const [one, two] = [new AccessDeniedError('not you'), new UnavailableError('nobody there')];
    const sides = [brokenSide('etcd', one), brokenSide('kubernetes', two)];
    const { document, verdict, error } = await showMigrationStatus(sides, NEVER);
    expect([verdict, error]).to.deep.equal(['denied', one]);
    expect(document.sides.map(({ side }) => side)).to.deep.equal(['etcd', 'kubernetes']);
  });

  it('fails when the only side cannot be read', async () => {
    const error = new UnavailableError('nobody there');
    expect(await failureOf(showMigrationStatus([brokenSide('etcd', error)], NEVER))).to.equal(
      error,
    );
  });

  it('shows the side that has answered when the time is up', async () => {
    const ending = new AbortController();
    const silent: MigrationSide = {
      source: { datastore: 'etcd' },
      open: () =>
        new Promise((_resolve, reject) => {
          ending.signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    const status = showMigrationStatus([silent, sideOf(there({}))], ending.signal);
    setTimeout(() => ending.abort(new UnavailableError('not done within 1 seconds')), 10);
    const { document, verdict } = await status;
    expect(verdict).to.equal('partial');
    expect(document.sides[0]).to.have.nested.property('error.message', 'not done within 1 seconds');
  });

  it('shows nothing when the user ends it, nor where something of ours is wrong', async () => {
    const ended = new AbortController();
    ended.abort(new CancelledError('stopped by SIGINT', { signal: 'SIGINT' }));
    const sides = [brokenSide('etcd', new Error('aborted')), sideOf(there({}))];
    expect(await failureOf(showMigrationStatus(sides, ended.signal))).to.equal(ended.signal.reason);
    const bug = new InternalError('of ours');
    expect(
      await failureOf(showMigrationStatus([brokenSide('etcd', bug), ...sides], NEVER)),
    ).to.equal(bug);
  });
});
