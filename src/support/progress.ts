/** Where an operation tells how far it is; shown on a terminal's stderr, never part of a result. */
export interface Progress {
  /** A short phrase for what goes on now, such as `reading pods`. */
  step(text: string): void;
  /** How far a long work is; many times a second, so only where the next text takes the place of the one before. */
  count?(text: string): void;
  /** A sentence that the user should see even when progress is off. */
  warn(text: string): void;
}
