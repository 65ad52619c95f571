/** What goes wrong with an answer. */
export type Fault =
  /** Another status instead of the answer. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly message?: string;
      readonly reason?: string;
      readonly retryAfter?: number;
    }
  /** The connection breaks after so many bytes of the body; without any, before the response begins. */
  | { readonly type: 'reset'; readonly afterBytes?: number }
  /** The body ends early as if that were all. */
  | { readonly type: 'truncate'; readonly afterBytes: number }
  /** Silence after so many bytes of the body; without any, no response at all. */
  | { readonly type: 'hang'; readonly afterBytes?: number }
  /** The body comes in small pieces with pauses. */
  | { readonly type: 'slow'; readonly pieceBytes: number; readonly pauseMs: number }
  /** A page of something that is no API server. */
  | { readonly type: 'html' };

/** Whether no response begins at all. */
export function isWordless(fault: Fault | undefined): boolean {
  return (fault?.type === 'reset' || fault?.type === 'hang') && fault.afterBytes === undefined;
}

/** Bytes of a body that are sent before the fault strikes. */
export function bytesBefore(fault: Fault | undefined, length: number): number {
  const isCut = fault?.type === 'reset' || fault?.type === 'truncate' || fault?.type === 'hang';
  return isCut ? Math.min(length, fault.afterBytes ?? 0) : length;
}

/** When a fault strikes. */
export interface FaultPlan {
  readonly path: string;
  readonly method?: string | undefined;
  /** Requests of the path to let through first. */
  readonly after?: number | undefined;
  /** Requests that it strikes; all when absent. */
  readonly times?: number | undefined;
  readonly fault: Fault;
}

/** The faults that a test has ordered, first come first served. */
export class FaultScript {
  readonly #plans: { plan: FaultPlan; seen: number }[] = [];

  add(plan: FaultPlan): void {
    this.#plans.push({ plan, seen: 0 });
  }

  clear(): void {
    this.#plans.length = 0;
  }

  /** The fault that strikes this request. */
  next(method: string, path: string): Fault | undefined {
    for (const entry of this.#plans) {
      const { plan } = entry;
      if (plan.path !== path || (plan.method !== undefined && plan.method !== method)) continue;
      const { after = 0, times = Number.POSITIVE_INFINITY } = plan;
      const turn = entry.seen++;
      if (turn >= after && turn < after + times) return plan.fault;
    }
    return undefined;
  }
}
