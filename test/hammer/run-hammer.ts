import { appendFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WritableDatastore } from '../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../src/datastore/kubernetes/kubernetes-datastore.ts';
import { Account } from './account.ts';
import { chooseTask, type TaskSource } from './choose-task.ts';
import { lookAtRest } from './final-look.ts';
import { type Ground, rowsOf, storedAddresses, type StoredAddress } from './ground.ts';
import { Holdings } from './holdings.ts';
import type { FaultRates, Job, JobResult } from './job.ts';
import { SeededRandom } from './random.ts';
import {
  clearGround,
  judgeLeftovers,
  repairLeftovers,
  type Settlement,
  waitForCooldown,
} from './settle.ts';
import { Violations } from './violations.ts';
import { watchRows } from './watch.ts';
import { WorkerProcess } from './worker-process.ts';

/** How to hammer. */
export interface HammerOptions {
  readonly ground: Ground;
  readonly processes: number;
  /** Per process. */
  readonly operations: number;
  readonly seed: number;
  readonly ledger?: string | undefined;
  readonly tell: (line: string) => void;
  readonly faults?: FaultRates | undefined;
  /** Probability that a worker is killed at a job. */
  readonly killRate?: number | undefined;
}

/** What a run came to. */
export interface HammerResult {
  readonly violations: readonly string[];
  /** How often each operation ended how, such as `assign: done`. */
  readonly ends: ReadonlyMap<string, number>;
  readonly conflicts: number;
  readonly outages: number;
  readonly kills: number;
  readonly looks: number;
  /** Findings before the repair, by code. */
  readonly leftovers: ReadonlyMap<string, number>;
  /** Rows of claims cut short that could be repaired only once the addresses of their block were released. */
  readonly waiting: number;
}

const FAULTS: FaultRates = { conflict: 0.04, interference: 0.04, outage: 0.003 };
const KILL_RATE = 0.01;

/** A request of a process that was killed may still be on its way. */
const LAST_REQUESTS_MS = 400;
const REST_MS = 2000;

/** Longest time until a kill from outside, in milliseconds. */
const LONGEST_KILL_MS = 80;

/** Addresses that are held at once, per process. */
const HELD_PER_PROCESS = 16;

/** Lets processes work on one cluster, with conflicts, lost answers and kills, and judges the rows meanwhile and after. */
export async function runHammer(options: HammerOptions): Promise<HammerResult> {
  const { kubeconfig } = options.ground;
  const connection = { kubeconfig: { value: kubeconfig, origin: 'hammer' }, env: {} };
  const datastore = await openKubernetesDatastore(connection);
  try {
    return await new Hammer(options, datastore).run();
  } finally {
    await datastore.close();
  }
}

class Hammer {
  readonly #options: HammerOptions;
  readonly #datastore: WritableDatastore;
  readonly #violations: Violations;
  readonly #holdings: Holdings;
  readonly #account: Account;
  readonly #random: SeededRandom;
  readonly #prefix: string;
  #nextId = 1;
  #conflicts = 0;
  #outages = 0;
  #kills = 0;

  constructor(options: HammerOptions, datastore: WritableDatastore) {
    const { seed, ground, ledger } = options;
    this.#options = options;
    this.#datastore = datastore;
    this.#violations = new Violations(options.tell);
    if (ledger !== undefined) writeFileSync(ledger, '');
    this.#holdings = new Holdings(this.#violations, (line) => {
      if (ledger !== undefined) appendFileSync(ledger, `${JSON.stringify(line)}\n`);
    });
    this.#account = new Account(this.#holdings, this.#violations, ground.pools);
    this.#random = new SeededRandom(seed);
    this.#prefix = `ipamctl-hammer-${seed}-${Date.now().toString(36)}-`;
  }

  async run(): Promise<HammerResult> {
    const { processes } = this.#options;
    const end = new AbortController();
    const watch = {
      datastore: this.#datastore,
      holdings: this.#holdings,
      violations: this.#violations,
    };
    const watching = watchRows(watch, end.signal);
    try {
      await Promise.all(Array.from({ length: processes }, (_, slot) => this.#workSlot(slot)));
    } finally {
      end.abort();
    }
    const looks = await watching;
    if (this.#kills > 0) await sleep(REST_MS);
    await waitForCooldown(this.#options.ground);
    const { leftovers, waiting } = await this.#judge();
    return {
      violations: this.#violations.list,
      ends: this.#account.ends,
      ...{ conflicts: this.#conflicts, outages: this.#outages, kills: this.#kills },
      ...{ looks, leftovers, waiting },
    };
  }

  /** One worker after the other on one seat, until all its operations are done. */
  async #workSlot(slot: number): Promise<void> {
    let worker = await this.#start(slot, 0);
    for (let done = 1; done <= this.#options.operations; done++) {
      const job = this.#chooseJob();
      const result = await this.#runJob(worker, job);
      if (result === 'dead') {
        await sleep(LAST_REQUESTS_MS);
        this.#account.killed(job.task, await this.#stored());
        worker = await this.#start(slot, done);
      } else {
        this.#conflicts += result.conflicts;
        this.#outages += result.outages;
        this.#account.answered(job.task, result);
        const isUnsure = result.outages > 0 && result.error !== undefined;
        if (isUnsure) this.#account.adopt(await this.#stored());
      }
    }
    worker.kill();
  }

  #start(slot: number, done: number): Promise<WorkerProcess> {
    const { ground, seed, faults = FAULTS } = this.#options;
    const own = (seed * 1_000_003 + slot * 10_007 + done) >>> 0;
    return WorkerProcess.start({ kubeconfig: ground.kubeconfig, seed: own, faults });
  }

  #chooseJob(): Job {
    const { ground, processes, killRate = KILL_RATE } = this.#options;
    const id = this.#nextId++;
    const source: TaskSource = {
      ...{ ground, holdings: this.#holdings, random: this.#random, prefix: this.#prefix },
      tainted: this.#account.tainted,
      mostHeld: processes * HELD_PER_PROCESS,
      sharedHandles: processes,
    };
    const task = chooseTask(source, id);
    const isMarked = this.#random.isLucky(killRate / 2);
    return { id, task, dieAfterWrites: isMarked ? this.#random.below(5) : undefined };
  }

  async #runJob(worker: WorkerProcess, job: Job): Promise<JobResult | 'dead'> {
    const { killRate = KILL_RATE } = this.#options;
    const isKilled = this.#random.isLucky(killRate / 2);
    const timer = isKilled
      ? setTimeout(() => worker.kill(), this.#random.below(LONGEST_KILL_MS))
      : undefined;
    const result = await worker.run(job);
    if (result === 'dead') this.#kills++;
    // Without a timer left a worker that answered in time goes on.
    clearTimeout(timer);
    return result;
  }

  async #stored(): Promise<readonly StoredAddress[]> {
    return [...storedAddresses(await rowsOf(this.#datastore, 'IPAMBlock'))];
  }

  /** Rows at rest: first as they are, then after the repair, and last after everything was released. */
  async #judge(): Promise<Pick<HammerResult, 'leftovers' | 'waiting'>> {
    const { ground } = this.#options;
    const isOurs = (handle: string): boolean => ground.isOwn || handle.startsWith(this.#prefix);
    const settlement: Settlement = {
      ...{ datastore: this.#datastore, ground, violations: this.#violations, isOurs },
    };
    const look = {
      ...{ datastore: this.#datastore, holdings: this.#holdings, violations: this.#violations },
      isOurs,
    };
    this.#account.settle(await this.#stored());
    await lookAtRest({ ...look, mayCountMore: (handle) => this.#account.tainted.has(handle) });
    const isCut = this.#kills > 0 || this.#outages > 0;
    const leftovers = ground.isOwn
      ? await judgeLeftovers(settlement, isCut)
      : new Map<string, number>();
    const isToRepair = isCut || ground.cooldownSeconds > 0;
    const waiting = isToRepair ? await repairLeftovers(settlement) : new Set<string>();
    await lookAtRest({ ...look, mayCountMore: () => false });
    if (ground.isOwn) await clearGround(settlement, this.#holdings, waiting);
    return { leftovers, waiting: waiting.size };
  }
}
