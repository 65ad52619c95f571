import { expect } from 'chai';
import { join } from 'node:path';
import { etcdStages } from '../replay/etcd-stage.ts';
import { kubernetesStages } from '../replay/kubernetes-stage.ts';
import { describe as describeDifference, tracesToReplay } from '../replay/replay-folder.ts';
import { replayTrace } from '../replay/replay-trace.ts';
import { openSnapshotHouse } from '../replay/snapshot-stage.ts';
import type { OpenStage, StageHouse } from '../replay/stage.ts';
import type { Trace } from '../replay/trace.ts';
import { requireApiServer, requireEtcd } from '../support/shared-servers.ts';

/** The longest scenario on a real server. */
const PATIENCE_MS = 300_000;

const traces = tracesToReplay(join(import.meta.dirname, '..', 'traces'));

async function expectEqual(trace: Trace, open: OpenStage): Promise<void> {
  const stage = await open(trace.form);
  if (!stage) throw new Error(`${trace.name} has no place there`);
  try {
    expect((await replayTrace(trace, stage)).map(describeDifference)).to.deep.equal([]);
  } finally {
    await stage.close();
  }
}

describe('traces on a snapshot', function () {
  this.timeout(PATIENCE_MS);
  let house: StageHouse;

  before(async () => {
    house = await openSnapshotHouse();
  });

  after(() => house.close());

  for (const trace of traces) {
    it(`gives the answers and rows of ${trace.name}`, () => expectEqual(trace, house.open));
  }
});

describe('traces on a real API server', function () {
  this.timeout(PATIENCE_MS);
  let open: OpenStage;

  before(async function () {
    open = kubernetesStages(await requireApiServer(this));
  });

  for (const trace of traces.filter(({ form }) => form !== 'etcd')) {
    it(`gives the answers and rows of ${trace.name}`, () => expectEqual(trace, open));
  }
});

describe('traces on a real etcd', function () {
  this.timeout(PATIENCE_MS);
  let open: OpenStage;

  before(async function () {
    open = etcdStages((await requireEtcd(this)).endpoint);
  });

  for (const trace of traces.filter(({ form }) => form === 'etcd')) {
    it(`gives the answers and rows of ${trace.name}`, () => expectEqual(trace, open));
  }
});
