import { ConfigError } from '../errors/config-error.ts';
import type { ConfigFieldName } from './config-fields.ts';
import type { LayeredValues } from './config-layers.ts';
import type { EtcdConnection, RequestLimits, Sourced, Surroundings } from './connection.ts';

/** What decides over an etcd connection beside its own settings. */
export interface EtcdConnectionOptions
  extends Omit<RequestLimits, 'qps' | 'burst'>, Pick<Surroundings, 'env'> {
  /** Requests a second, of `--qps`; the rate in a configuration file is one for Kubernetes. */
  readonly qps?: number | undefined;
  /** What selected etcd, for the message when nothing says where it is. */
  readonly typeOrigin: string;
}

/**
 * The etcd settings among all others, checked against each other.
 *
 * Departs from upstream: of endpoints and a discovery domain from different sources the one that wins hides the other;
 * and a certificate without its key is refused here, naming where it was given.
 * @throws {@link ConfigError} naming the origins of settings that exclude each other, or of what is missing.
 * Source: upstream libcalico-go, lib/backend/etcdv3 NewEtcdV3Client.
 */
export function etcdConnection(
  values: LayeredValues,
  options: EtcdConnectionOptions,
): EtcdConnection {
  const { env, pageSize, timeoutMs, signal, qps } = options;
  const tls = tlsSettings(values);
  assertTls(tls);
  return {
    ...{ env, pageSize, timeoutMs, signal },
    qps: qps !== undefined && qps > 0 ? { value: qps, origin: '--qps' } : undefined,
    ...places(values, options.typeOrigin),
    username: values.find<string>('etcdUsername'),
    password: values.find<string>('etcdPassword'),
    ...tls,
  };
}

/** Where etcd is. */
function places(
  values: LayeredValues,
  typeOrigin: string,
): Pick<EtcdConnection, 'endpoints' | 'discoverySrv'> {
  const endpoints: Named = { name: 'etcdEndpoints', setting: values.find('etcdEndpoints') };
  const domain: Named = { name: 'etcdDiscoverySrv', setting: values.find('etcdDiscoverySrv') };
  if (isGiven(endpoints) && isGiven(domain)) {
    if (values.beats(endpoints.name, domain.name)) return { endpoints: endpoints.setting };
    if (values.beats(domain.name, endpoints.name)) return { discoverySrv: domain.setting };
    throw excluded(endpoints, domain, 'leave out the endpoints or the discovery domain');
  }
  if (isGiven(endpoints)) return { endpoints: endpoints.setting };
  if (isGiven(domain)) return { discoverySrv: domain.setting };
  throw new ConfigError(`${typeOrigin} selects etcd, and nothing says where it is`, {
    hint: 'set ETCD_ENDPOINTS, or etcdEndpoints in the configuration file',
    details: { setting: 'etcdEndpoints', origin: typeOrigin },
  });
}

type TlsSettings = Pick<EtcdConnection, 'keyFile' | 'certFile' | 'caFile' | 'key' | 'cert' | 'ca'>;

function tlsSettings(values: LayeredValues): TlsSettings {
  return {
    keyFile: values.find<string>('etcdKeyFile'),
    certFile: values.find<string>('etcdCertFile'),
    caFile: values.find<string>('etcdCACertFile'),
    key: values.find<string>('etcdKey'),
    cert: values.find<string>('etcdCert'),
    ca: values.find<string>('etcdCACert'),
  };
}

interface Named {
  readonly name: ConfigFieldName;
  readonly setting: Sourced<string> | undefined;
}

interface Given extends Named {
  readonly setting: Sourced<string>;
}

function assertTls({ keyFile, certFile, caFile, key, cert, ca }: TlsSettings): void {
  const files = {
    key: { name: 'etcdKeyFile', setting: keyFile },
    cert: { name: 'etcdCertFile', setting: certFile },
    ca: { name: 'etcdCACertFile', setting: caFile },
  } as const;
  const inline = {
    key: { name: 'etcdKey', setting: key },
    cert: { name: 'etcdCert', setting: cert },
    ca: { name: 'etcdCACert', setting: ca },
  } as const;
  const file = Object.values<Named>(files).find(isGiven);
  const text = Object.values<Named>(inline).find(isGiven);
  if (file && text) {
    throw excluded(text, file, 'give keys and certificates either all as files or all as text');
  }
  for (const kind of [files, inline]) assertPair(kind.key, kind.cert);
  if (isGiven(inline.ca) && !isGiven(inline.cert)) {
    const hint = 'give etcdCert and etcdKey too; to check the server only, use etcdCACertFile';
    throw incomplete(inline.ca, inline.cert, hint);
  }
}

/** A client certificate is of no use without its key, and the reverse. */
function assertPair(key: Named, cert: Named): void {
  if (isGiven(key) && !isGiven(cert)) throw incomplete(key, cert, `set ${cert.name} too`);
  if (isGiven(cert) && !isGiven(key)) throw incomplete(cert, key, `set ${key.name} too`);
}

function isGiven(named: Named): named is Given {
  return named.setting !== undefined;
}

function incomplete(given: Given, missing: Named, hint: string): ConfigError {
  const { origin } = given.setting;
  return new ConfigError(`${origin}: ${given.name} is given without ${missing.name}`, {
    hint,
    details: { setting: missing.name, origin },
  });
}

function excluded(one: Given, other: Given, hint: string): ConfigError {
  const origins = [one.setting.origin, other.setting.origin];
  return new ConfigError(
    `${one.name} (${one.setting.origin}) and ${other.name} (${other.setting.origin}) exclude each other`,
    { hint, details: { settings: [one.name, other.name], origins } },
  );
}
