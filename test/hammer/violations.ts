/** What must never happen and did, in the order of discovery. */
export class Violations {
  readonly list: string[] = [];
  readonly #tell: (text: string) => void;

  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  add(text: string): void {
    if (this.list.includes(text)) return;
    this.list.push(text);
    this.#tell(`VIOLATION: ${text}`);
  }
}
