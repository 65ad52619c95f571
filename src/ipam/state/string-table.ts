/** Keeps each distinct text once; columns hold its number. */
export class StringTable {
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  /** The number that was last asked for: rules mostly look for the text that they have just got. */
  private last = 0;

  /** Number of the text, from 0; the same for equal texts. */
  intern(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.length;
    this.numbers.set(text, number);
    this.texts.push(text);
    return number;
  }

  /** As {@link intern}, and -1 for undefined. */
  internOptional(text: string | undefined): number {
    return text === undefined ? -1 : this.intern(text);
  }

  /** Number of a text that is known, else -1. */
  find(text: string): number {
    // The very same string is equal at a glance; a search in a map of millions is not in any cache of the processor.
    if (this.texts[this.last] === text) return this.last;
    return this.numbers.get(text) ?? -1;
  }

  /** The text of a number that {@link intern} gave. */
  text(number: number): string {
    this.last = number;
    return this.texts[number] ?? '';
  }

  /** As {@link text}, and undefined for -1. */
  optionalText(number: number): string | undefined {
    return number < 0 ? undefined : this.text(number);
  }

  /** How many distinct texts there are. */
  get size(): number {
    return this.texts.length;
  }
}

/** Texts of a column in which one mostly repeats the one before: to see that is cheaper than to look it up. */
export class RepeatedTexts {
  private readonly strings: StringTable;
  private text: string | undefined;
  private number = -1;

  constructor(strings: StringTable) {
    this.strings = strings;
  }

  /** As {@link StringTable.intern}. */
  intern(text: string): number {
    if (text !== this.text) {
      this.number = this.strings.intern(text);
      this.text = text;
    }
    return this.number;
  }
}
