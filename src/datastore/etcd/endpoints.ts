import type { SrvRecord } from 'node:dns';
import { isIP } from 'node:net';
import { ConfigError } from '../../errors/config-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { EtcdConnection, Sourced } from '../connection.ts';

/** One server of an etcd cluster. */
export interface Endpoint {
  /** Name or address, an IPv6 one without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** URL for messages. */
  readonly display: string;
  /** Where it was configured. */
  readonly origin: string;
}

/** Finds the SRV records of a name. */
export type ResolveSrv = (name: string) => Promise<readonly SrvRecord[]>;

/** Port of etcd's clients, used when an endpoint names none. */
const DEFAULT_PORT = 2379;

/**
 * Endpoints of a connection, in the order in which they are tried. One without a scheme is secure when the connection has
 * keys or certificates.
 *
 * @throws {@link ConfigError} naming the origin of what is no endpoint.
 * @throws {@link UnavailableError} when a discovery domain names none.
 */
export async function findEndpoints(
  connection: EtcdConnection,
  resolveSrv: ResolveSrv,
): Promise<readonly Endpoint[]> {
  const { endpoints, discoverySrv } = connection;
  if (endpoints !== undefined) return parseEndpoints(endpoints, hasTls(connection));
  if (discoverySrv !== undefined) return discover(discoverySrv, resolveSrv);
  throw new ConfigError('nothing says where etcd is', {
    hint: 'set ETCD_ENDPOINTS, or etcdEndpoints in the configuration file',
  });
}

/**
 * Endpoints in a text, joined by commas.
 *
 * Departs from upstream: blanks around them are taken away, and a missing port is etcd's own.
 * @throws {@link ConfigError} naming the origin of what is no endpoint.
 */
export function parseEndpoints(
  { value, origin }: Sourced<string>,
  secureByDefault: boolean,
): readonly Endpoint[] {
  const texts = value
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (texts.length === 0) throw wrongEndpoint({ value, origin }, 'it names no endpoint');
  return texts.map((text) => parseEndpoint({ value: text, origin }, secureByDefault));
}

function parseEndpoint(text: Sourced<string>, secureByDefault: boolean): Endpoint {
  const { value, origin } = text;
  const hasScheme = value.includes('://');
  const url = hasScheme ? value : `${secureByDefault ? 'https' : 'http'}://${value}`;
  const parts = /^(https?):\/\/(?:\[([^\]]+)\]|([^[\]:/?#@]+))(?::(\d{1,5}))?\/?$/i.exec(url);
  if (!parts) throw wrongEndpoint(text, 'it is no URL of the form http(s)://HOST:PORT');
  const [, scheme = '', ipv6, name = '', port] = parts;
  if (ipv6 !== undefined && isIP(ipv6) !== 6) throw wrongEndpoint(text, 'its host is no address');
  return endpointOf({
    host: ipv6 ?? name,
    port: portNumber(port, text),
    isSecure: scheme.toLowerCase() === 'https',
    origin,
  });
}

function portNumber(port: string | undefined, text: Sourced<string>): number {
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (number < 1 || number > 65_535) throw wrongEndpoint(text, 'its port is none');
  return number;
}

function endpointOf(parts: Omit<Endpoint, 'display'>): Endpoint {
  const host = isIP(parts.host) === 6 ? `[${parts.host}]` : parts.host;
  const display = `${parts.isSecure ? 'https' : 'http'}://${host}:${String(parts.port)}`;
  return { ...parts, display };
}

/**
 * Source: etcd documentation, "DNS discovery": `_etcd-client._tcp` for plain and `_etcd-client-ssl._tcp` for secure clients.
 */
async function discover(
  { value: domain, origin }: Sourced<string>,
  resolveSrv: ResolveSrv,
): Promise<readonly Endpoint[]> {
  const found: Endpoint[] = [];
  const failures: unknown[] = [];
  for (const [service, isSecure] of [
    ['_etcd-client-ssl', true],
    ['_etcd-client', false],
  ] as const) {
    try {
      const records = await resolveSrv(`${service}._tcp.${domain}`);
      for (const { name, port } of records.toSorted(byRank)) {
        found.push(endpointOf({ host: name.replace(/\.$/, ''), port, isSecure, origin }));
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (found.length > 0) return found;
  throw new UnavailableError(`${origin}: no SRV record of ${domain} names an etcd server`, {
    hint: `look up _etcd-client._tcp.${domain} and _etcd-client-ssl._tcp.${domain}, or set ETCD_ENDPOINTS`,
    details: { setting: 'etcdDiscoverySrv', origin },
    cause: failures[0],
  });
}

function byRank(a: SrvRecord, b: SrvRecord): number {
  return a.priority - b.priority || b.weight - a.weight;
}

function hasTls({ keyFile, certFile, caFile, key, cert, ca }: EtcdConnection): boolean {
  return [keyFile, certFile, caFile, key, cert, ca].some((setting) => setting !== undefined);
}

/** The text itself is shown only when no password can stand in it. */
function wrongEndpoint({ value, origin }: Sourced<string>, problem: string): ConfigError {
  const subject = value.includes('@') ? 'an endpoint' : JSON.stringify(value);
  return new ConfigError(`${origin}: ${subject} is no endpoint of etcd: ${problem}`, {
    hint: value.includes('@')
      ? 'give user and password as ETCD_USERNAME and ETCD_PASSWORD'
      : 'write it as https://HOST:2379; several are joined by commas',
    details: { setting: 'etcdEndpoints', origin },
  });
}
