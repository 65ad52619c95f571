import { RULES } from '../../check/registry.ts';
import type { ReadReport } from '../../check/read-report.ts';
import { DataError } from '../../errors/data-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import type { UndoHistory } from '../undo/undo-log.ts';
import { assertRuleCodes } from '../explain-rule.ts';
import { REPAIRS, repairOf } from './registry.ts';

/** How to repair. */
export interface RepairOptions {
  /** Codes to remedy; all when empty. */
  readonly only: readonly string[];
  /** Only what all of these found. */
  readonly reports: readonly ReadReport[];
  readonly minAgeMs: number;
  readonly isMismatchAllowed: boolean;
  readonly history?: UndoHistory | undefined;
}

/** Codes that `ipam repair` remedies. */
export function repairableCodes(): readonly string[] {
  return REPAIRS.map(({ code }) => code);
}

/**
 * Refuses codes that cannot be repaired, with the way out.
 * @throws {@link UsageError}
 */
export function assertRepairable(codes: readonly string[]): void {
  assertRuleCodes(codes);
  const other = codes.find((code) => repairOf(code) === undefined);
  if (other === undefined) return;
  throw new UsageError(`--only: ${other} is nothing that ipam repair remedies`, {
    hint: RULES.find(({ code }) => code === other)?.remedy,
    details: { code: other, repairable: repairableCodes() },
  });
}

/** @throws {@link DataError} for a report that lists no findings, as calicoctl's do. */
export function assertFindings(reports: readonly ReadReport[]): void {
  const without = reports.find(({ findings }) => findings === undefined);
  if (without === undefined) return;
  throw new DataError(`${without.name} lists no findings, so nothing can be repaired from it`, {
    hint: 'write a report with `ipamctl ipam check --output FILE`, or leave --from-report out',
  });
}
