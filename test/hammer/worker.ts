/** A process that does one job after the other through the engine, until it is killed or its parent is gone. */
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { IpamEngine } from '../../src/engine/ipam-engine.ts';
import { realClock } from '../replay/real-clock.ts';
import { faultyDatastore, RandomFaults } from './faulty-datastore.ts';
import type { Job, JobResult, WorkerSetup } from './job.ts';
import { performTask } from './perform-task.ts';
import { SeededRandom } from './random.ts';

const { kubeconfig, seed, faults } = JSON.parse(process.argv[2] ?? '') as WorkerSetup;
const watcher = new RandomFaults(new SeededRandom(seed), faults);
const datastore = await openKubernetesDatastore({
  kubeconfig: { value: kubeconfig, origin: 'hammer' },
  env: {},
});
const engine = new IpamEngine({
  datastore: faultyDatastore(datastore, watcher),
  clock: realClock(),
});

async function work({ id, task, dieAfterWrites }: Job): Promise<JobResult> {
  const { conflicts, outages } = watcher;
  watcher.writes = 0;
  watcher.onWrite = (writes) => {
    if (writes === dieAfterWrites) process.kill(process.pid, 'SIGKILL');
  };
  const outcome = await performTask(engine, task);
  return {
    id,
    ...outcome,
    conflicts: watcher.conflicts - conflicts,
    outages: watcher.outages - outages,
  };
}

process.on('message', (job: Job) => {
  void work(job).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
