import type { SecureContextOptions } from 'node:tls';
import { ConfigError } from '../../errors/config-error.ts';

/** Ciphers of TLS 1.2 by the names that Go uses, with those of OpenSSL. */
const CIPHERS: ReadonlyMap<string, string> = new Map([
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
]);

/** Of TLS 1.3; Go takes the names, and does not let anybody choose among them. */
const NEWER_CIPHERS: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
];

/** What of a secure context the environment decides. */
export type TlsPolicy = Pick<SecureContextOptions, 'minVersion' | 'maxVersion' | 'ciphers'>;

/**
 * Versions and ciphers that `TLS_MIN_VERSION` and `TLS_CIPHER_SUITES` allow; TLS 1.2 and 1.3 with Node's ciphers when they
 * are absent or empty.
 *
 * @throws {@link ConfigError} naming the variable and the version or cipher that is not known.
 * Source: crypto/tls of Go, CipherSuites; Calico documentation, "TLS cipher suites".
 */
export function tlsPolicy(env: Readonly<Record<string, string | undefined>>): TlsPolicy {
  const ciphers = cipherList(env['TLS_CIPHER_SUITES'] ?? '');
  return {
    minVersion: minVersion(env['TLS_MIN_VERSION'] ?? ''),
    maxVersion: 'TLSv1.3',
    ...(ciphers === undefined ? {} : { ciphers }),
  };
}

function minVersion(text: string): 'TLSv1.2' | 'TLSv1.3' {
  switch (text.trim()) {
    case '':
    case '1.2':
      return 'TLSv1.2';
    case '1.3':
      return 'TLSv1.3';
    default:
      throw wrongVariable('TLS_MIN_VERSION', `${JSON.stringify(text)} is neither 1.2 nor 1.3`);
  }
}

function cipherList(text: string): string | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return undefined;
  const older = names.flatMap((name) => {
    const cipher = CIPHERS.get(name);
    if (cipher === undefined && !NEWER_CIPHERS.includes(name)) {
      throw wrongVariable('TLS_CIPHER_SUITES', `there is no cipher ${JSON.stringify(name)}`);
    }
    return cipher ?? [];
  });
  // A list without them would switch TLS 1.3 off.
  return [...NEWER_CIPHERS, ...older].join(':');
}

function wrongVariable(name: string, problem: string): ConfigError {
  const known = [...CIPHERS.keys(), ...NEWER_CIPHERS].join(', ');
  return new ConfigError(`environment variable ${name}: ${problem}`, {
    hint: name === 'TLS_CIPHER_SUITES' ? `the ciphers are ${known}` : 'use 1.2 or 1.3',
    details: { setting: name, origin: `environment variable ${name}` },
  });
}
