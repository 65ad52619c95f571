import type { Severity } from './finding.ts';

/** Severities from worst to mildest. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Whether a severity is at least as bad as a threshold; `never` is reached by none. */
export function reaches(severity: Severity, threshold: Severity | 'never'): boolean {
  return threshold !== 'never' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}
