import { formatCidr } from '../../src/net/cidr.ts';
import { blockOf } from '../../src/ipam/allocator/block-content.ts';
import { poolOf } from '../../src/ipam/allocator/select-pools.ts';
import type { PoolRow } from '../../src/ipam/model/pool.ts';
import { ip } from '../support/builders.ts';
import type { StoredAddress } from './ground.ts';
import type { Holding, Holdings } from './holdings.ts';
import type { JobError, JobResult, Task } from './job.ts';
import type { Violations } from './violations.ts';

type AssignTask = Extract<Task, { readonly op: 'assign' | 'assign-given' }>;
type OwnerTask = Extract<Task, { readonly op: 'change-owner' }>;

/** Ends that are no lie: races that were lost for good, and a server that does not answer. */
const RACES_LOST: ReadonlySet<string> = new Set(['max-retries', 'CONFLICT', 'UNAVAILABLE']);

/** Takes down what came of tasks, and what must not have come of them. */
export class Account {
  readonly tainted = new Set<string>();
  /** Tasks whose addresses are not known for sure, by tag. */
  readonly #unsure = new Map<string, AssignTask>();
  /** Addresses of such tasks that were taken down: a list may be older than their release. */
  readonly #adopted = new Set<string>();
  /** How often each operation ended how. */
  readonly ends = new Map<string, number>();
  readonly #holdings: Holdings;
  readonly #violations: Violations;
  readonly #pools: readonly PoolRow[];

  constructor(holdings: Holdings, violations: Violations, pools: readonly PoolRow[]) {
    this.#holdings = holdings;
    this.#violations = violations;
    this.#pools = pools;
  }

  /** A worker answered. */
  answered(task: Task, result: JobResult): void {
    const { error, outages } = result;
    this.#count(task, error);
    if (error?.isBug === true) this.#violations.add(`${task.op} broke down: ${error.message}`);
    // Cleaning up may have failed in silence.
    if (outages > 0) this.#taint(task);
    this.#book(task, result);
  }

  #book(task: Task, result: JobResult): void {
    switch (task.op) {
      case 'assign':
      case 'assign-given':
        this.#got(task, result);
        break;
      case 'release':
      case 'release-handle':
        this.#let(task, result);
        break;
      case 'change-owner':
        for (const holding of this.#holdingsOf(task)) this.#changed(task, result, holding);
        break;
      case 'claim':
      case 'give-up':
    }
  }

  /** A worker was killed at a task; the rows as they are shortly after. */
  killed(task: Task, stored: readonly StoredAddress[]): void {
    this.#count(task, { code: 'killed', message: '', isBug: false });
    this.#taint(task);
    switch (task.op) {
      case 'assign':
      case 'assign-given':
        this.#doubtTask(task, []);
        this.adopt(stored);
        break;
      case 'release':
      case 'release-handle':
        for (const holding of this.#holdingsOf(task)) doubt(holding);
        break;
      case 'change-owner':
        this.#unknownOwner(task);
        break;
      case 'claim':
      case 'give-up':
    }
  }

  /** Takes addresses down whose tasks could not tell. */
  adopt(stored: readonly StoredAddress[]): void {
    for (const { tag = '', address } of stored) {
      const task = this.#unsure.get(tag);
      const name = `${tag} ${address}`;
      if (!task || this.#adopted.has(name)) continue;
      this.#adopted.add(name);
      this.#take(task, [address], undefined);
    }
  }

  /** Nothing is under way any more: what was to be released is held still or is not. */
  settle(stored: readonly StoredAddress[]): void {
    this.adopt(stored);
    const tags = new Map(stored.map(({ address, tag }) => [address, tag]));
    for (const holding of this.#holdings.all) {
      if (holding.state !== 'doubtful') continue;
      if (tags.get(holding.address) === holding.tag) holding.state = 'held';
      else this.#holdings.released(holding);
    }
  }

  #doubtTask(task: AssignTask, known: readonly string[]): void {
    this.#unsure.set(task.tag, task);
    for (const address of known) this.#adopted.add(`${task.tag} ${address}`);
  }

  #take(task: AssignTask, addresses: readonly string[], pod: string | undefined): void {
    for (const address of addresses) {
      const { host, handle, tag } = task;
      const block = this.#blockOf(address);
      this.#holdings.assigned({ address, block, handle, host, tag, pod });
    }
  }

  #got(task: AssignTask, { addresses, error, outages }: JobResult): void {
    // A Service has no pod, and its owner is never changed.
    this.#take(task, addresses, task.use === 'Workload' ? task.tag : undefined);
    if (error && outages > 0) this.#doubtTask(task, addresses);
  }

  #let(
    task: Extract<Task, { readonly op: 'release' | 'release-handle' }>,
    { addresses, error, outages }: JobResult,
  ): void {
    const isDone = (address: string): boolean =>
      task.op === 'release' ? addresses.includes(address) : error === undefined;
    for (const holding of this.#holdingsOf(task)) {
      if (isDone(holding.address)) {
        this.#holdings.released(holding);
      } else if (outages > 0) {
        doubt(holding);
      } else if (holding.state === 'releasing') {
        holding.state = 'held';
        if (RACES_LOST.has(error?.code ?? '')) continue;
        this.#violations.add(
          `the release of ${holding.address} of ${holding.handle} was refused: ${error?.code ?? 'without error'} ${error?.message ?? ''}`,
        );
      }
    }
  }

  #changed(task: OwnerTask, { error, outages }: JobResult, holding: Holding): void {
    holding.state = 'held';
    const end = error?.code ?? 'done';
    if (end === 'done' && !task.isWrong) holding.pod = task.to;
    const wanted = task.isWrong ? 'owner-precondition' : 'done';
    if (end === wanted) return;
    if (outages > 0) {
      // The change may have been stored without an answer.
      holding.pod = undefined;
    } else if (!RACES_LOST.has(end)) {
      const text = `changing the owner of ${holding.address} ended with ${end} and not with ${wanted}`;
      this.#violations.add(`${text}: ${error?.message ?? ''}`);
    }
  }

  #unknownOwner(task: OwnerTask): void {
    for (const holding of this.#holdingsOf(task)) {
      holding.state = 'held';
      holding.pod = undefined;
    }
  }

  /** Holdings that a task is about and that have not changed hands since. */
  #holdingsOf(
    task: Extract<Task, { readonly op: 'release' | 'release-handle' | 'change-owner' }>,
  ): readonly Holding[] {
    if (task.op === 'release-handle')
      return this.#holdings.all.filter(
        ({ handle, state }) => handle === task.handle && state === 'releasing',
      );
    // A chosen task carries the holdings themselves.
    return (task.op === 'release' ? task.held : [task.held]) as readonly Holding[];
  }

  #taint(task: Task): void {
    switch (task.op) {
      case 'assign':
      case 'assign-given':
      case 'release-handle':
        this.tainted.add(task.handle);
        break;
      case 'release':
        for (const { handle } of task.held) this.tainted.add(handle);
        break;
      case 'change-owner':
      case 'claim':
      case 'give-up':
    }
  }

  #blockOf(address: string): string {
    const pool = poolOf(this.#pools, ip(address));
    if (pool) return formatCidr(blockOf(ip(address), pool.blockSize));
    this.#violations.add(`${address} was given out, which is in no pool`);
    return '';
  }

  #count({ op }: Task, error: JobError | undefined): void {
    const end = `${op}: ${error?.code ?? 'done'}`;
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
  }
}

function doubt(holding: Holding): void {
  if (holding.state === 'releasing') holding.state = 'doubtful';
}
