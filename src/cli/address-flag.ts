import { Flags } from '@oclif/core';
import { UsageError } from '../errors/usage-error.ts';
import { type Address, parseAddress } from '../net/address.ts';

/** A flag whose value is one address. */
export const addressFlag = Flags.custom<Address>({
  helpValue: 'ADDRESS',
  parse: (text, _context, options) => {
    const address = parseAddress(text);
    if (address === undefined) {
      throw new UsageError(`--${options.name}: "${text}" is an invalid IP address`, {
        hint: 'write it as 198.18.0.1 or 2001:db8::1, without prefix length and leading zeros',
      });
    }
    return Promise.resolve(address);
  },
});
