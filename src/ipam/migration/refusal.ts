/** Why something cannot be carried to Kubernetes. */
export type RefusalCode =
  | 'no-kubernetes-name'
  | 'several-kubernetes-names'
  | 'shared-kubernetes-name'
  | 'name-of-another'
  | 'impossible-name'
  | 'shared-name'
  | 'overlapping-blocks'
  | 'unreadable';

/** One thing that cannot be carried, for the list of all of them. */
export interface Refusal {
  readonly code: RefusalCode;
  /** Kind and name, as the source has them: `Node bare-1`. */
  readonly subject: string;
  /** What is wrong with it, as a sentence part. */
  readonly reason: string;
}

/** A name in a message: as it is, or in quotes when it holds anything that a terminal or an eye would miss. */
export function shownName(name: string): string {
  return /^[\x21-\x7e]+$/.test(name) ? name : JSON.stringify(name);
}
