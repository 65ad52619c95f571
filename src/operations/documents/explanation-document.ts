import type { Severity } from '../../check/finding.ts';

/** `IPAMExplanation`: the document of `ipam check --explain`; read from no datastore. */
export interface ExplanationDocument {
  readonly kind: 'IPAMExplanation';
  readonly schemaVersion: 1;
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly remedy: string;
  /** Kinds without which the rule cannot be judged. */
  readonly needs: readonly string[];
}
