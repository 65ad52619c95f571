import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { seedGround } from '../hammer/find-ground.ts';
import { type Ground, rowsOf, storedAddresses } from '../hammer/ground.ts';
import type { LedgerLine } from '../hammer/holdings.ts';
import { type HammerOptions, type HammerResult, runHammer } from '../hammer/run-hammer.ts';
import { requireApiServer } from '../support/shared-servers.ts';
import { wipe } from '../support/wipe.ts';
import type { ApiServer } from '../support/api-server-process.ts';

/** Races, but nothing that is cut short. */
const CONFLICTS = { conflict: 0.05, interference: 0.05, outage: 0 };

describe('e2e/hammer', function () {
  this.timeout(120_000);

  let server: ApiServer;
  let ground: Ground;
  let folder: string;

  before(async function () {
    server = await requireApiServer(this);
  });
  beforeEach(async () => {
    await wipe(server.admin);
    ground = await seedGround(server, { nodes: 3 });
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-hammer-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function hammer(more: Partial<HammerOptions>): Promise<HammerResult> {
    const size = { processes: 3, operations: 40, seed: 1 };
    return runHammer({ ground, ...size, tell: () => undefined, ...more });
  }

  /** Who holds which address, by a ledger. */
  function heldBy(path: string): ReadonlyMap<string, string> {
    const held = new Map<string, string>();
    for (const text of readFileSync(path, 'utf8').trimEnd().split('\n')) {
      const { op, address, handle } = JSON.parse(text) as LedgerLine;
      if (op === 'assign') {
        expect(held.get(address), `holder of ${address} before ${handle}`).to.equal(undefined);
        held.set(address, handle);
      } else {
        expect(held.get(address), `holder of ${address} that is released`).to.equal(handle);
        held.delete(address);
      }
    }
    return held;
  }

  async function stored(): Promise<ReadonlyMap<string, string | undefined>> {
    const kubeconfig = { value: server.kubeconfig(), origin: 'test' };
    const datastore = await openKubernetesDatastore({ kubeconfig, env: {} });
    try {
      const addresses = [...storedAddresses(await rowsOf(datastore, 'IPAMBlock'))];
      return new Map(addresses.map(({ address, handle }) => [address, handle]));
    } finally {
      await datastore.close();
    }
  }

  it('loses, doubles and forgets nothing under conflicts, lost answers and kills', async () => {
    const ledger = join(folder, 'ledger.jsonl');
    const faults = { ...CONFLICTS, outage: 0.01 };
    const result = await hammer({ killRate: 0.06, faults, ledger });
    expect(result.violations).to.deep.equal([]);
    expect(result.kills).to.be.greaterThan(0);
    expect(result.conflicts).to.be.greaterThan(0);
    expect(result.looks).to.be.greaterThan(1);
    expect(heldBy(ledger).size, 'addresses that are left').to.equal(0);
  });

  it('leaves nothing that a check finds where nothing is cut short', async () => {
    const result = await hammer({ killRate: 0, faults: CONFLICTS, seed: 2 });
    expect(result.violations).to.deep.equal([]);
    expect([...result.leftovers]).to.deep.equal([]);
  });

  it('shares a cluster with another writer, and its ledger says what it holds', async () => {
    const shared = { ...ground, isOwn: false };
    const size = {
      ground: shared,
      processes: 2,
      operations: 30,
      faults: CONFLICTS,
    };
    const ledgers = [join(folder, 'a'), join(folder, 'b')];
    const results = await Promise.all(
      ledgers.map((ledger, at) => hammer({ ...size, killRate: 0, seed: 3 + at, ledger })),
    );
    expect(results.flatMap(({ violations }) => violations)).to.deep.equal([]);
    const held = ledgers.flatMap((ledger) => [...heldBy(ledger)]);
    expect(held.sort()).to.deep.equal([...(await stored())].sort());
  });
});
