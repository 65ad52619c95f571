import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Lets Node take its own authorities from somewhere else, which is then what counts. */
const OWN_CHOICE = /--use-openssl-ca/;

let areAside = false;

/** Authorities that are trusted where a connection names none: those of Node and of the system, in PEM. */
export function knownAuthorities(): string[] {
  // While they are aside there are none by default.
  const ofNode = areAside
    ? [...getCACertificates('bundled'), ...getCACertificates('extra')]
    : getCACertificates('default');
  return [...new Set([...ofNode, ...getCACertificates('system')])];
}

/**
 * Takes Node's authorities, 140 of them, out of what the process trusts by default. Node makes them ready before the first
 * connection that names an authority of its own, only to tell the two apart, which takes as long as the server takes to list
 * 200 blocks.
 *
 * @remarks It holds for all of the process, from then on: a connection that relies on the default trusts nobody. Ours give
 * {@link knownAuthorities} instead; what others open by themselves (proxies, login providers) does not.
 */
export function putAuthoritiesAside(): void {
  if (areAside || [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some(isOwnChoice))
    return;
  setDefaultCACertificates([]);
  areAside = true;
}

function isOwnChoice(option: string): boolean {
  return OWN_CHOICE.test(option);
}
