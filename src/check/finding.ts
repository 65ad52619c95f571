import type { ResourceKind } from '../ipam/model/resource.ts';

/** How bad a finding is: errors are problems (duplicate or outage possible), warnings waste or drift, infos notes. */
export type Severity = 'error' | 'warning' | 'info';

/** What a finding is about. Addresses and CIDRs are canonical text. */
export interface FindingSubject {
  readonly kind: ResourceKind | 'Address';
  /** Name of the row, or the address itself for kind `Address`. */
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly address?: string | undefined;
  readonly cidr?: string | undefined;
  readonly node?: string | undefined;
  readonly handle?: string | undefined;
}

/** Plain facts of a finding: JSON values, bigint for 64-bit numbers. Reason and remedy are made from them. */
export type Facts = Readonly<Record<string, unknown>>;

/** What a rule yields. */
export interface RuleFinding<F extends Facts = Facts> {
  readonly subject: FindingSubject;
  readonly facts: F;
  /** A release would take it now if a second look agrees. Absent means false. */
  readonly releasable?: boolean | undefined;
}

/** A finding of the report. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly subject: FindingSubject;
  readonly facts: Facts;
  readonly reason: string;
  readonly remedy: string;
  readonly releasable: boolean;
}
