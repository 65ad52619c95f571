import type { Finding } from '../../src/check/finding.ts';
import type { CheckDocument } from '../../src/operations/documents/check-document.ts';
import type {
  PoolUtilization,
  UtilizationDocument,
} from '../../src/operations/documents/utilization-document.ts';

const SOURCE = { datastore: 'snapshot', file: 'dump.yaml', clusterGUID: 'abc123' } as const;

/** A pool row: a /26 block in use out of a /24 pool, unless said otherwise. */
export function aPoolRow(facts: Partial<PoolUtilization> = {}): PoolUtilization {
  return {
    name: 'default',
    cidr: '198.18.0.0/24',
    disabled: false,
    blockSize: 26,
    total: 256n,
    inUse: 32,
    cooling: 2,
    reserved: 4n,
    free: 220n,
    borrowed: 1,
    blocks: {
      inUse: 1,
      possible: 4n,
      byState: { affine: 1, virtual: 0, unaffined: 0, missingNode: 0 },
    },
    ...facts,
  };
}

/** A document of `ipam show` with one pool. */
export function aUtilization(facts: Partial<UtilizationDocument> = {}): UtilizationDocument {
  return {
    kind: 'IPAMUtilization',
    schemaVersion: 1,
    source: SOURCE,
    pools: [aPoolRow()],
    outsidePools: {
      inUse: 0,
      cooling: 0,
      borrowed: 0,
      blocks: { inUse: 0, byState: { affine: 0, virtual: 0, unaffined: 0, missingNode: 0 } },
    },
    hints: [],
    ...facts,
  };
}

/** A leaked address, the n-th of its kind. */
export function aLeak(n: number, facts: Partial<Finding> = {}): Finding {
  const address = `198.18.${Math.floor(n / 256)}.${n % 256}`;
  return {
    code: 'leaked-address',
    severity: 'error',
    subject: { kind: 'Address', name: address, address, cidr: '198.18.0.0/26' },
    facts: {},
    reason: `${address} is allocated, but pod shop/cart-${n} does not exist.`,
    remedy: 'Release it.',
    releasable: true,
    ...facts,
  };
}

/** A document of `ipam check` with these findings; the summary counts them. */
export function aCheck(
  findings: readonly Finding[] = [],
  facts: Partial<CheckDocument> = {},
): CheckDocument {
  const count = (severity: Finding['severity']): number =>
    findings.filter((one) => one.severity === severity).length;
  const byCode: Record<string, number> = {};
  for (const { code } of findings) byCode[code] = (byCode[code] ?? 0) + 1;
  return {
    kind: 'IPAMCheck',
    schemaVersion: 1,
    source: SOURCE,
    tool: { name: 'ipamctl', version: '1.0.0' },
    checkedAt: '2026-11-29T12:00:00Z',
    datastoreLocked: false,
    summary: {
      pools: 1,
      blocks: 4,
      allocations: 200,
      cooling: 3,
      inUse: { tunnel: 4, workload: 190, service: 0, virtualMachine: 0 },
      handles: { matched: 190, orphan: 0, missing: 0 },
      problems: count('error'),
      warnings: count('warning'),
      notes: count('info'),
      byCode,
    },
    findings,
    notEvaluated: [],
    ...facts,
  };
}
