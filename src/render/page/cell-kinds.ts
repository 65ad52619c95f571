import type { Tone } from '../theme.ts';

/** What a letter of a block's cells means and how it is shown. */
export interface CellKind {
  readonly letter: string;
  readonly meaning: string;
  /** Colour on a terminal. */
  readonly tone: Tone | undefined;
  /** Class on a page, where a free cell is empty and one in use is filled; the others carry their letter. */
  readonly className: string;
  readonly mark: string;
}

/** Every letter that `cells` of a document can have, in the order of the legend. */
export const CELL_KINDS: readonly CellKind[] = [
  { letter: '.', meaning: 'free', tone: 'muted', className: 'f', mark: '' },
  { letter: '#', meaning: 'in use', tone: 'ok', className: 'u', mark: '' },
  { letter: 'c', meaning: 'cooling', tone: 'note', className: 'c', mark: 'c' },
  { letter: 'r', meaning: 'reserved', tone: 'muted', className: 'r', mark: 'r' },
  { letter: 'L', meaning: 'leaked', tone: 'problem', className: 'l', mark: 'L' },
  { letter: 'b', meaning: 'borrowed', tone: 'warning', className: 'b', mark: 'b' },
];

/** The same by letter. */
export const CELL_KIND_OF: ReadonlyMap<string, CellKind> = new Map(
  CELL_KINDS.map((kind) => [kind.letter, kind]),
);
