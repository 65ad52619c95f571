import type { Finding } from '../../check/finding.ts';
import type { ReportAllocation } from '../../check/report.ts';
import type { CheckCounts } from '../../check/summary.ts';
import type { DocumentHead } from '../outcome.ts';
import type { Utilization } from './utilization-document.ts';

/** A rule that could not be judged, or in part only, and the kinds it lacked. */
export interface NotEvaluated {
  readonly code: string;
  readonly missing: readonly string[];
}

/** Every allocation and what is known of its use, for `--show-all-ips` and `--show-problem-ips`. */
export interface CheckAddress extends ReportAllocation {
  /** Codes of the findings about this address. */
  readonly findings: readonly string[];
}

/** `IPAMCheck`: the document of `ipam check`. */
export interface CheckDocument extends DocumentHead<'IPAMCheck'> {
  readonly tool: { readonly name: 'ipamctl'; readonly version: string };
  /** RFC 3339. */
  readonly checkedAt: string;
  readonly datastoreLocked: boolean;
  readonly summary: CheckCounts;
  readonly findings: readonly Finding[];
  readonly notEvaluated: readonly NotEvaluated[];
  /** Codes of the rules that were asked for; absent when all were. */
  readonly judgedCodes?: readonly string[] | undefined;
  /** Only with --show-all-ips. */
  readonly addresses?: readonly CheckAddress[] | undefined;
  /** Pools and blocks with their cells, and nodes, of the same look: only for a page, which draws them. */
  readonly utilization?: Utilization | undefined;
}
