import { type Address, parseAddress } from '../../net/address.ts';

/**
 * The address of a text that may carry a prefix length, such as `10.0.0.77/26`: blanks around it and whatever follows the
 * slash do not matter, because what carries the address is this one, not the network. Undefined for any other text.
 */
export function addressPart(text: string): Address | undefined {
  return parseAddress(addressPartText(text));
}

/** The text of that address, without blanks and prefix length. */
export function addressPartText(text: string): string {
  const slash = text.indexOf('/');
  return (slash < 0 ? text : text.slice(0, slash)).trim();
}

/** Addresses of several texts, each once, in order; parsing starts only for texts that were not seen yet. */
export class AddressList {
  readonly addresses: Address[] = [];
  readonly #texts: string[] = [];

  /** Adds the address of a text; blank texts are skipped. Returns whether the text could be read. */
  add(text: string): boolean {
    const part = addressPartText(text);
    if (this.#texts.includes(part) || text.trim() === '') return true;
    const address = parseAddress(part);
    if (address === undefined) return false;
    this.#texts.push(part);
    if (!this.addresses.includes(address)) this.addresses.push(address);
    return true;
  }
}
