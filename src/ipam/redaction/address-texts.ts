import { type Address, formatAddress, parseAddress } from '../../net/address.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import { cidrToName } from '../model/names.ts';
import type { AddressMap } from './address-map.ts';

/** Length behind a slash as far as it can be kept: nothing but digits says nothing else. */
const DIGITS = /^\d{1,4}$/;
/** A text that is no address, but holds nothing except what addresses are made of. */
const NUMBERS_ONLY = /^[\d.:/ ]+$/;
const GROUPS = 8;

/** What texts with addresses become. Blanks, prefix lengths, host bits and unusual spellings stay; so does damage. */
export class AddressTexts {
  readonly #map: AddressMap;
  readonly #scrub: (text: string) => string;

  /** @param scrub What stands for a text that is no address. */
  constructor(map: AddressMap, scrub: (text: string) => string) {
    this.#map = map;
    this.#scrub = scrub;
  }

  /** An address, or one with a prefix length; of a list with commas each. */
  list(text: string): string {
    return text
      .split(',')
      .map((part) => this.text(part))
      .join(',');
  }

  /** An address or a prefix. */
  text(text: string): string {
    const body = text.trim();
    if (body === '') return text;
    const at = text.indexOf(body);
    return text.slice(0, at) + this.#body(body) + text.slice(at + body.length);
  }

  /** The name that a block has in Kubernetes; undefined when the text is none. */
  blockName(name: string): string | undefined {
    const cidr = cidrOfName(name);
    return cidr && cidrToName(this.#map.cidr(cidr));
  }

  /** A prefix. */
  cidr(cidr: Cidr): Cidr {
    return this.#map.cidr(cidr);
  }

  #body(text: string): string {
    const slash = text.indexOf('/');
    const part = (slash < 0 ? text : text.slice(0, slash)).trimEnd();
    const address = parseAddress(part);
    if (address === undefined) return this.#damaged(text);
    const length = slash < 0 ? '' : `/${lengthText(text.slice(slash + 1))}`;
    if (this.#map.isIdentity) return part + length;
    const cidr = parseCidr(text);
    // Makes sure that the prefix as a whole has a place before a single address of it asks for one.
    if (cidr) this.#map.cidr(cidr);
    const moved = cidr?.length === 0 ? address : this.#map.address(address);
    return respell(part, { from: address, to: moved }) + length;
  }

  #damaged(text: string): string {
    return this.#map.isIdentity && NUMBERS_ONLY.test(text) ? text : this.#scrub(text);
  }
}

/** What is no number is neither a length nor may it become one. */
function lengthText(text: string): string {
  return DIGITS.test(text) ? text : 'x';
}

/** The text of another address in the spelling of the first one, so that two spellings of one address stay two. */
function respell(
  text: string,
  { from, to }: { readonly from: Address; readonly to: Address },
): string {
  const plain = formatAddress(to);
  if (text === formatAddress(from)) return plain;
  if (typeof to === 'number') return `::ffff:${plain}`;
  if (text.toLowerCase() === formatAddress(from)) return plain.toUpperCase();
  return spelledOut(to);
}

function spelledOut(value: bigint): string {
  const digits = value.toString(16).padStart(GROUPS * 4, '0');
  return Array.from({ length: GROUPS }, (_, i) => digits.slice(i * 4, i * 4 + 4)).join(':');
}

/**
 * The prefix whose name this is. Dots, colons and the slash all are dashes in a name, but only one prefix has it.
 */
export function cidrOfName(name: string): Cidr | undefined {
  const dash = name.lastIndexOf('-');
  if (dash < 0) return undefined;
  const [base, length] = [name.slice(0, dash), name.slice(dash + 1)];
  for (const mark of ['.', ':']) {
    const cidr = parseCidr(`${base.replaceAll('-', mark)}/${length}`);
    if (cidr && cidrToName(cidr) === name) return cidr;
  }
  return undefined;
}
