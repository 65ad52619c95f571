import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Job, JobResult, WorkerSetup } from './job.ts';

const SCRIPT = join(import.meta.dirname, 'worker.ts');

/** A worker as its parent sees it. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  #answer: ((result: JobResult | 'dead') => void) | undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (message: JobResult) => this.#settle(message));
    child.on('exit', () => this.#settle('dead'));
  }

  /** Resolves once the worker takes jobs. @throws Error when it ends before that. */
  static async start(setup: WorkerSetup): Promise<WorkerProcess> {
    const child = fork(SCRIPT, [JSON.stringify(setup)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`a worker ended with ${code} at its start`)));
    });
    child.removeAllListeners();
    return new WorkerProcess(child);
  }

  /** Does a job; `dead` when the worker ended before it answered. */
  run(job: Job): Promise<JobResult | 'dead'> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) this.#settle('dead');
      else this.#child.send(job);
    });
  }

  /** Ends the worker on the spot, as kill -9 does. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #settle(result: JobResult | 'dead'): void {
    this.#answer?.(result);
    this.#answer = undefined;
  }
}
