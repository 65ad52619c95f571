import type { ApiServer } from '../../test/support/api-server-process.ts';
import type { Cost } from './measure.ts';

/** How large the clusters are. */
export type Size = 'small' | 'large';

/** What a part may use. */
export interface BenchContext {
  readonly size: Size;
  /** Rounds that count; one more warms the caches. */
  readonly rounds: number;
  /** Scratch folder, gone at the end. */
  readonly folder: string;
  /** Path of a calicoctl to compare with; undefined when there is none. */
  readonly original: string | undefined;
  /** The API server with the seeded cluster, started on first use. */
  readonly cluster: () => Promise<SeededServer>;
  /** Tells what is going on. */
  readonly say: (text: string) => void;
}

/** A kube-apiserver with a generated cluster. */
export interface SeededServer {
  readonly server: ApiServer;
  readonly kubeconfig: string;
  readonly nodes: number;
  readonly pods: number;
  readonly blocks: number;
  readonly leaks: number;
  /** CPU seconds that the server and its etcd have used. */
  readonly cpuSeconds: () => number;
  /** Waits until they have done what the last run left them to do, such as collecting their garbage. */
  readonly rest: () => Promise<void>;
}

/** What a row cost in the middle of its rounds. */
export interface RowResult {
  readonly name: string;
  readonly wallMs: number;
  /** Of the rounds. */
  readonly wallRangeMs: readonly [number, number];
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly requests?: number | undefined;
  readonly receivedBytes?: number | undefined;
  readonly serverCpuMs?: number | undefined;
}

/** A figure as a ratio to another of the same run, or as a count. */
export interface Comparison {
  readonly what: string;
  readonly value: number;
  /** Largest value that is wanted; absent where there is no target. */
  readonly target?: number | undefined;
}

/** What a part measured. */
export interface PartResult {
  readonly part: string;
  /** Sizes and what the rows mean. */
  readonly about: string;
  readonly rows: readonly RowResult[];
  readonly comparisons: readonly Comparison[];
}

/** Measures one thing. */
export type Part = (context: BenchContext) => Promise<PartResult>;

/** A run of a row: its cost, and that of the server. */
export interface Run extends Cost {
  readonly serverCpuMs?: number | undefined;
}
