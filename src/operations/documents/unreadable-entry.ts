/** A row that cannot be read, so that nobody knows what it holds; the document counts and says nothing of it. */
export interface UnreadableEntry {
  readonly kind: string;
  readonly namespace?: string | undefined;
  /** Empty when the name is what cannot be read. */
  readonly name: string;
  /** What is wrong, as a sentence part. */
  readonly problem: string;
}

/** The part of a document that tells of them. */
export interface UnreadablePart {
  /** Rows that were looked for and cannot be read, by kind and name; absent when there are none. */
  readonly unreadable?: readonly UnreadableEntry[] | undefined;
}
