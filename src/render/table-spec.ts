import type { Tone } from './theme.ts';

/** A text, or a text with the colour of its meaning. Tables make it safe to print. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** A column. */
export interface Column {
  /** In capitals. */
  readonly header: string;
  /** Numbers stand right; headers always stand left. */
  readonly align?: 'left' | 'right' | undefined;
  /** When the table is too wide, columns with the highest number go first; one without a number never goes. */
  readonly dropOrder?: number | undefined;
}

/** A table before it is laid out. Every row has one cell per column. */
export interface TableSpec {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}
