import { parseGoTime, parseTime } from '../../support/time.ts';
import type { JsonValue } from '../model/resource.ts';
import { type Mapper, isObject, scalar, text } from './mappers.ts';
import type { NameClass, Pseudonyms } from './pseudonyms.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DECIMAL = /^\d+$/;
/** What Go prints behind a time: a zone, and a reading of the monotonic clock. */
const TAIL_OF_GO_TIME = /^(.{19}(?:\.\d+)? [+-]\d{4})(?: [A-Z]{3,4})?(?: m=[+-][\d.]+)?$/;
const BOOLEAN_TEXT = /^(?:[tTfF01]|true|True|TRUE|false|False|FALSE)$/;

/** Mappers for single values. Whatever is not known to be harmless becomes a pseudonym; damage stays damage. */
export class Words {
  readonly #names: Pseudonyms;
  /** For a value that is not what it should be: what it says goes, of which type it is stays. */
  readonly scrub: Mapper;
  /** Numbers and booleans. */
  readonly scalar: Mapper;

  constructor(names: Pseudonyms) {
    this.#names = names;
    this.scrub = (value) => this.#scrub(value);
    this.scalar = scalar(this.scrub);
  }

  /** A name of this class. */
  name(kind: NameClass): Mapper {
    return this.text((name) => this.#names.name(kind, name));
  }

  text(map: (text: string) => string): Mapper {
    return text(map, this.scrub);
  }

  /** Free text without any name in it. */
  scrubText = (text: string): string => this.#names.word('text', text);

  /** One of the words that mean something; any other text is a name of the class. */
  oneOf(words: readonly string[], kind: NameClass = 'text'): Mapper {
    return this.text((word) => (words.includes(word) ? word : this.#names.word(kind, word)));
  }

  /** A text that says no more than the pattern allows. */
  matching(pattern: RegExp, kind: NameClass = 'text'): Mapper {
    return this.text((word) => (pattern.test(word) ? word : this.#names.word(kind, word)));
  }

  /** A mark, be it a boolean or the text of one. */
  get flag(): Mapper {
    const asText = this.matching(BOOLEAN_TEXT);
    return (value) => (typeof value === 'boolean' ? value : asText(value));
  }

  /** A time as servers write it. */
  get time(): Mapper {
    return this.text((time) => (parseTime(time) === undefined ? this.scrubText(time) : time));
  }

  /** A time as Go prints it; a tail that nobody reads goes. */
  goTime(time: string): string {
    if (parseGoTime(time) === undefined) return this.scrubText(time);
    if (parseTime(time) !== undefined || TAIL_OF_GO_TIME.test(time)) return time;
    return /^.{19}(?:\.\d+)? [+-]\d{4}/.exec(time)?.[0] ?? this.scrubText(time);
  }

  /** A uid in the form in which it came. */
  get uid(): Mapper {
    return this.text((uid) => {
      if (!UUID.test(uid)) return this.#names.word('id', uid);
      const digits = this.#names.digits('uid', uid.toLowerCase(), 32);
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    });
  }

  /** Identity of a cluster. */
  get guid(): Mapper {
    return this.text((guid) => this.#names.digits('guid', guid, 32));
  }

  /** A revision, which is a number wherever it comes from a server. */
  get revision(): Mapper {
    return (value) => (typeof value === 'number' ? value : this.matching(DECIMAL, 'id')(value));
  }

  #scrub(value: JsonValue): JsonValue {
    if (typeof value === 'string') return value === '' ? '' : this.scrubText(value);
    if (typeof value === 'number' || typeof value === 'bigint') return 0;
    if (Array.isArray(value)) return value.map((one) => this.#scrub(one));
    if (!isObject(value)) return value;
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, one]) => [this.scrubText(name), this.#scrub(one)]),
    );
  }
}
