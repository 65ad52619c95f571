import { parseAddress } from '../../net/address.ts';
import { containsAddress, parseCidrOrAddress } from '../../net/cidr.ts';

/**
 * URL of the proxy for a server; undefined for a direct connection. That of the kubeconfig counts before the environment,
 * whose NO_PROXY lists hosts, domains, addresses, prefixes and host:port pairs.
 *
 * Source: Go's net/http ProxyFromEnvironment, which kubectl follows.
 */
export function proxyFor(
  server: URL,
  proxyUrl: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (proxyUrl !== undefined) return proxyUrl;
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = firstSet(env[name], env[name.toLowerCase()]);
  if (proxy === undefined || isLoopback(server)) return undefined;
  const exceptions = firstSet(env['NO_PROXY'], env['no_proxy']) ?? '';
  if (exceptions.split(',').some((rule) => matches(server, rule.trim().toLowerCase())))
    return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

/** Whether the server is on this machine. */
export function isLoopback(server: URL): boolean {
  const host = hostOf(server);
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    /^127(?:\.\d+){3}$/.test(host)
  );
}

function matches(server: URL, rule: string): boolean {
  if (rule === '' || rule === '*') return rule === '*';
  const withPort = /^(?<name>[^:]+|\[.+\]):(?<port>\d+)$/.exec(rule)?.groups;
  if (withPort && withPort['port'] !== portOf(server)) return false;
  const name = (withPort?.['name'] ?? rule).replace(/^\[(.*)\]$/, '$1');
  const host = hostOf(server);
  const address = parseAddress(host);
  if (address === undefined) return isInDomain(host, name);
  const prefix = parseCidrOrAddress(name);
  return prefix !== undefined && containsAddress(prefix, address);
}

/** A rule with a leading dot means what is below the domain, not the domain itself. */
function isInDomain(host: string, rule: string): boolean {
  const domain = rule.replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (domain === rule && host === domain);
}

/** Host in lower case, without the brackets of an IPv6 address, which a socket does not want. */
export function hostOf(server: URL): string {
  return server.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** Port, also where the URL leaves it to the scheme. */
export function portOf(server: URL): string {
  return server.port === '' ? (server.protocol === 'https:' ? '443' : '80') : server.port;
}

function firstSet(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '');
}
