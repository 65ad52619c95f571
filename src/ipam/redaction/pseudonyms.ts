import { KeyedHash } from './keyed-hash.ts';

/** What a pseudonym stands for; the word in front of it. */
export type NameClass =
  | 'node'
  | 'pod'
  | 'ns'
  | 'svc'
  | 'vm'
  | 'net'
  | 'ctr'
  | 'id'
  | 'lb'
  | 'pool'
  | 'reservation'
  | 'endpoint'
  | 'block'
  | 'affinity'
  | 'config'
  | 'class'
  | 'type'
  | 'version'
  | 'user'
  | 'attr'
  | 'term'
  | 'text';

/** Owner of the blocks of the load-balancer controller; it is called so in every cluster. */
const LOAD_BALANCER = 'load-balancer';

/** Characters of a pseudonym behind its word: 60 bits, so that no two of a million names ever share one. */
const CODE_LENGTH = 12;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Pseudonyms that are kept at hand; more would cost the memory that streaming saves. */
const CACHE_SIZE = 20_000;

/** What stays between the parts of a name: control characters, at which handle ids are cut, and slashes of etcd keys. */
const SEPARATORS = /(%2f|\/|\p{Cc}+)/u;

/**
 * Pseudonyms for names, by a keyed hash: whoever does not have the key cannot try names out. The same name of a class gets
 * the same pseudonym everywhere. Names that differ in case only get pseudonyms that differ in case only, and the
 * pseudonym of a lower-cased name is the lower-cased pseudonym.
 */
export class Pseudonyms {
  readonly #hash: KeyedHash;
  readonly #cache = new Map<string, string>();
  /** Names that hold capitals, by the pseudonym of their lower case. */
  readonly #variants = new Map<string, string[]>();

  /** @param key Random bytes, which are to be forgotten afterwards. */
  constructor(key: Uint8Array) {
    this.#hash = new KeyedHash(key);
  }

  /** A name without its separators is a pseudonym; each separator stays where it is. */
  name(kind: NameClass, text: string): string {
    return this.mapParts(text, (part) => this.word(kind, part));
  }

  /** Maps what stands between separators; the callback also gets the position of the part. */
  mapParts(text: string, map: (part: string, position: number) => string): string {
    if (!SEPARATORS.test(text)) return text === '' ? '' : map(text, 0);
    // Separators stand at odd positions.
    const parts = text.split(SEPARATORS);
    return parts.map((part, i) => (i % 2 === 1 || part === '' ? part : map(part, i / 2))).join('');
  }

  /** The pseudonym of a text as a whole; of the empty one the empty one. */
  word(kind: NameClass, text: string): string {
    if (text === '') return '';
    const lower = text.toLowerCase();
    const isKnown = kind === 'node' && lower === LOAD_BALANCER;
    const base = isKnown ? lower : `${kind}-${this.#code(kind, lower)}`;
    return lower === text ? base : this.recase(base, text);
  }

  /** The lower-case pseudonym with capitals of its own for this text, of which it is the lower case's. */
  recase(base: string, text: string): string {
    const known = this.#variants.get(base) ?? [];
    this.#variants.set(base, known);
    let position = known.indexOf(text);
    if (position < 0) position = known.push(text) - 1;
    return withCapitals(base, position + 1);
  }

  /** Hexadecimal digits for a text, at most 64. */
  digits(purpose: string, text: string, length: number): string {
    return this.#digest(purpose, text).toString('hex').slice(0, length);
  }

  #code(kind: string, text: string): string {
    const question = `${kind} ${text}`;
    let code = this.#cache.get(question);
    if (code === undefined) {
      code = codeOf(this.#digest(kind, text));
      if (this.#cache.size >= CACHE_SIZE) this.#cache.clear();
      this.#cache.set(question, code);
    }
    return code;
  }

  #digest(purpose: string, text: string): Buffer {
    return this.#hash.digest(`${purpose}\0${text}`);
  }
}

function codeOf(digest: Buffer): string {
  let code = '';
  for (const byte of digest.subarray(0, CODE_LENGTH)) code += ALPHABET.charAt(byte & 31);
  return code;
}

/** The text with the letters in capitals that the bits of the number choose. */
function withCapitals(text: string, bits: number): string {
  let left = bits;
  let result = '';
  for (const character of text) {
    const isLetter = character >= 'a' && character <= 'z';
    result += isLetter && left % 2 === 1 ? character.toUpperCase() : character;
    if (isLetter) left = Math.floor(left / 2);
  }
  return result;
}
