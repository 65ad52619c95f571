import type { TableRenderer } from './table.ts';
import type { Theme } from './theme.ts';

/** What a text view draws with. */
export interface Surface {
  /** Terminal columns; infinite where nothing limits a line. */
  readonly width: number;
  readonly theme: Theme;
  readonly table: TableRenderer;
  /** How the user types the name of the program, for commands to copy. */
  readonly program: string;
}

/** How a document is shown; JSON and YAML need no view. Both are pure. */
export interface View<D> {
  readonly text: (document: D, surface: Surface) => string;
  /** A whole page; absent where the command has no such format. */
  readonly html?: ((document: D) => string) | undefined;
}
