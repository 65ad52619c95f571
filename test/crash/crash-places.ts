import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { type JsonObject, stringifyJson } from '../../src/support/json.ts';
import type { SeededRandom } from '../hammer/random.ts';
import type { ApiServer } from '../support/api-server-process.ts';
import { NOW } from '../support/builders.ts';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { seedCluster } from '../support/seed-cluster.ts';
import { wipe } from '../support/wipe.ts';
import type { Killer } from './killed-run.ts';

/** A cluster on which a command is killed. */
export interface CrashPlace {
  /** Moment of all runs, milliseconds since 1970; old enough that no row is young. */
  readonly now: number;
  /** Flags that point a command to it. */
  readonly flags: readonly string[];
  open(): Promise<WritableDatastore>;
  /** Kills a run at the point of this number, from 0; a run that has fewer points lives. */
  killerAt(point: number, undo: string): Killer;
  close(): Promise<void>;
}

/** Makes such a cluster of these objects. */
export type OpenPlace = (objects: readonly JsonObject[], folder: string) => Promise<CrashPlace>;

/** The in-process server; it kills at a write, which is carried out or, at every other point, is not. */
export function fakePlaces(): OpenPlace {
  return async (objects, folder) => {
    const server = await startFakeApiServer();
    for (const object of objects) server.put(object);
    const kubeconfig = server.writeKubeconfig(folder);
    return {
      now: NOW,
      flags: ['--kubeconfig', kubeconfig],
      open: () => openAt(kubeconfig),
      killerAt: (point) => killAtWrite(server, point),
      close: () => server.stop(),
    };
  };
}

function killAtWrite(server: FakeApiServer, point: number): Killer {
  return (child, isOver) => {
    let writes = 0;
    let isDead = false;
    const isLost = point % 2 === 1;
    server.onRequest = () => {
      if (isOver.aborted || server.requests.at(-1)?.method === 'GET') return;
      if (server.requests.at(-1)?.path.endsWith('reviews') === true) return;
      if (!isDead && writes++ === point >> 1) {
        child.kill('SIGKILL');
        isDead = true;
      }
      if (isDead && isLost) throw new Error('the client is dead');
    };
  };
}

/** A real API server; a run is killed once its undo file has so many lines. */
export function realPlaces(server: ApiServer): OpenPlace {
  return async (objects) => {
    await wipe(server.admin);
    await seedCluster(server.admin, objects);
    const kubeconfig = server.kubeconfig();
    return {
      // Rows are made now, and must not be young.
      now: Date.now() + 3_600_000,
      flags: ['--kubeconfig', kubeconfig],
      open: () => openAt(kubeconfig),
      killerAt: (point, undo) => killAtLine(undo, point),
      close: () => Promise.resolve(),
    };
  };
}

/** A folder of files; a run is killed once its undo file has so many lines, or a little later, when the file is written. */
export function snapshotPlaces(random: SeededRandom): OpenPlace {
  return async (objects, folder) => {
    const path = join(folder, 'cluster');
    mkdirSync(path);
    const write = (name: string, kind: string, items: readonly JsonObject[]): void =>
      writeFileSync(join(path, name), stringifyJson({ apiVersion: 'v1', kind, items }, 1));
    write('all.json', 'List', objects);
    // Without it nobody could say that no service has an address.
    write('services.json', 'ServiceList', []);
    return Promise.resolve({
      now: NOW,
      flags: ['--snapshot', path],
      open: () => openSnapshot(path, { stdin: nothing() }),
      killerAt: (point, undo) => killAtLine(undo, point, random.below(20)),
      close: () => Promise.resolve(),
    });
  };
}

/** Kills once the header and so many lines are there, and so many milliseconds have passed. */
function killAtLine(undo: string, lines: number, laterMs = 0): Killer {
  return async (child, isOver) => {
    let size = 0;
    while (!isOver.aborted) {
      await setImmediate();
      const now = existsSync(undo) ? statSync(undo).size : 0;
      if (now === size) continue;
      size = now;
      if (readFileSync(undo, 'utf8').split('\n').length - 2 < lines) continue;
      const due = performance.now() + laterMs;
      while (performance.now() < due) await setImmediate();
      child.kill('SIGKILL');
      return;
    }
  };
}

function openAt(kubeconfig: string): Promise<WritableDatastore> {
  return openKubernetesDatastore({ kubeconfig: { value: kubeconfig, origin: 'test' }, env: {} });
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // No input.
}
