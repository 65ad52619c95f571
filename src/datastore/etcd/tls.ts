import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ConfigError } from '../../errors/config-error.ts';
import { readProblem } from '../../support/file-problem.ts';
import { knownAuthorities } from '../authorities.ts';
import type { EtcdConnection, Sourced } from '../connection.ts';
import { tlsPolicy } from './tls-policy.ts';

/** PEM text together with the file or setting that it came from. */
type Pem = Sourced<string> | undefined;

/**
 * What TLS connections to etcd use: keys and certificates from files or from the settings themselves, and the policy of the
 * environment. Without an authority of its own the ones of Node and of the system are trusted.
 *
 * @throws {@link ConfigError} naming the file or setting that cannot be read or used.
 */
export async function secureContext(connection: EtcdConnection): Promise<SecureContext> {
  const policy = tlsPolicy(connection.env);
  const key = connection.key ?? (await fileText(connection.keyFile));
  const cert = connection.cert ?? (await fileText(connection.certFile));
  const ca = connection.ca ?? (await fileText(connection.caFile));
  for (const pem of [cert, ca]) assertCertificate(pem);
  const authorities = ca && authoritiesOf(ca, connection.ca !== undefined);
  // One after another, so that the message can say which of them is not usable; of authorities OpenSSL drops such in silence.
  checked(ca, 'holds no usable certificate', () =>
    authorities?.map((text) => new X509Certificate(text)),
  );
  checked(cert, 'holds no usable certificate', () => cert && new X509Certificate(cert.value));
  return checked(key, 'holds no private key that fits the certificate', () =>
    createSecureContext({
      ...policy,
      key: key?.value,
      cert: cert?.value,
      ca: authorities ?? knownAuthorities(),
    }),
  );
}

/**
 * A text of the settings counts up to its first certificate, as Calico takes it; a file may hold several.
 */
function authoritiesOf({ value }: Sourced<string>, isInline: boolean): string[] {
  const all = value.match(CERTIFICATE) ?? [];
  return isInline ? all.slice(0, 1) : all;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

async function fileText(path: Sourced<string> | undefined): Promise<Pem> {
  if (path === undefined) return undefined;
  try {
    return { value: await readFile(path.value, 'utf8'), origin: `${path.origin}: ${path.value}` };
  } catch (cause) {
    const { predicate } = readProblem(path.value, cause);
    throw new ConfigError(`${path.origin}: ${path.value} ${predicate}`, {
      hint: 'name a file in PEM that the user who runs this may read',
      details: { origin: path.origin, file: path.value },
      cause,
    });
  }
}

function assertCertificate(pem: Pem): void {
  if (pem === undefined || pem.value.match(CERTIFICATE)) return;
  throw new ConfigError(`${pem.origin} holds no certificate in PEM`, {
    hint: 'a certificate begins with -----BEGIN CERTIFICATE-----',
    details: { origin: pem.origin },
  });
}

function checked<T>(pem: Pem, problem: string, make: () => T): T {
  try {
    return make();
  } catch (cause) {
    throw new ConfigError(`${pem?.origin ?? 'TLS to etcd'} ${problem}`, {
      hint: 'keys must be in PEM and without a passphrase',
      details: { origin: pem?.origin },
      cause,
    });
  }
}
