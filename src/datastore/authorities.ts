import * as tls from 'node:tls';

/** What Node has from 22.19 and 24.5 on. */
const { setDefaultCACertificates }: Partial<typeof tls> = tls;

/** Authorities that are trusted where a connection names none: those of Node and of the system, in PEM. */
export function knownAuthorities(): string[] {
  return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
}

/**
 * Lets the process trust nobody by default, for as long as it lives. Node makes its own authorities ready, 140 of them, before
 * the first connection that names one, only to tell the two apart: that takes as long as a server takes to list 200 blocks.
 * Only where no connection of the process but those that name an authority of their own is made.
 */
export function putAuthoritiesAside(): void {
  setDefaultCACertificates?.([]);
}
