import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fakePlaces, type OpenPlace, realPlaces, snapshotPlaces } from '../crash/crash-places.ts';
import {
  CRASH_COMMANDS,
  type CrashCommand,
  runWhole,
  verifyPoint,
  verifyUnrecordedPoint,
} from '../crash/crash-run.ts';
import { SeededRandom } from '../hammer/random.ts';
import { requireApiServer } from '../support/shared-servers.ts';

/**
 * Points per command and place: 67 make 201 of release, repair and restore on the in-process server, half as many on a
 * snapshot, and 27 on the real one.
 */
const POINTS = Number(process.env['CRASH_POINTS'] ?? 4);
const SEED = Number(process.env['CRASH_SEED'] ?? 1);

describe('e2e/kill -9', function () {
  this.timeout(60_000 + POINTS * 60_000);

  const random = new SeededRandom(SEED);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ipamctl-crash-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Kills at random points; a run that is over before its point comes is not killed, and that may happen now and then. */
  async function verify(
    openPlace: OpenPlace,
    command: CrashCommand,
    points: number,
    verifyAt = verifyPoint,
  ): Promise<void> {
    const whole = await runWhole(openPlace, join(folder, 'whole'), command);
    expect(whole.points, 'points').to.be.greaterThan(10);
    let kills = 0;
    for (let nth = 0; nth < points; nth++) {
      const point = random.below(whole.points);
      const place = { openPlace, folder: join(folder, `killed-${nth}`), command, random };
      if (await verifyAt(place, whole, point)) kills++;
    }
    expect(kills, `kills with seed ${SEED}`).to.be.at.least(points / 2);
  }

  for (const command of CRASH_COMMANDS) {
    it(`leaves ${command} to be finished and taken back, on the in-process server`, () =>
      verify(fakePlaces(), command, POINTS));

    it(`leaves ${command} to be finished and taken back, on a snapshot`, () =>
      verify(snapshotPlaces(random), command, Math.ceil(POINTS / 2)));
  }

  it('leaves gc without undo file to be finished, on the in-process server', () =>
    verify(fakePlaces(), 'gc', POINTS, verifyUnrecordedPoint));

  describe('on the real kube-apiserver', () => {
    for (const command of CRASH_COMMANDS) {
      it(`leaves ${command} to be finished and taken back`, async function () {
        const server = await requireApiServer(this);
        await verify(realPlaces(server), command, Math.ceil(POINTS / 8));
      });
    }
  });
});
