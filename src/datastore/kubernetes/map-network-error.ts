import { ConfigError } from '../../errors/config-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { ClusterAccess } from './credentials.ts';
import { SilenceError } from './response-body.ts';
import type { ApiRequest } from './transport.ts';

/** Thrown into a request whose connection or answer did not come in time. */
export class TimeoutFailure extends Error {
  readonly what: 'connect' | 'answer';
  readonly milliseconds: number;

  constructor(what: 'connect' | 'answer', milliseconds: number) {
    super(`no ${what} within ${String(milliseconds)} ms`);
    this.name = 'TimeoutFailure';
    this.what = what;
    this.milliseconds = milliseconds;
  }
}

/** Codes of a certificate of the server that nobody vouches for. */
const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
]);

/** Makes our error of whatever kept an answer from coming or from coming to its end. */
export function networkError(
  error: unknown,
  access: ClusterAccess,
  request: Pick<ApiRequest, 'method' | 'path'>,
): ToolError {
  if (error instanceof ToolError) return error;
  const path = request.path.replace(/\?.*$/s, '');
  const code = codeOf(error);
  const details = { server: access.displayServer, path, cause: code ?? textOf(error) };
  return (
    timeoutError(error, { access, request, details }) ??
    certificateError(error, { access, code, details }) ??
    connectionError(error, { access, code, details, path })
  );
}

interface Facts {
  readonly access: ClusterAccess;
  readonly code?: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
}

function timeoutError(
  error: unknown,
  facts: Facts & { readonly request: Pick<ApiRequest, 'method' | 'path'> },
): ToolError | undefined {
  const { access, request, details } = facts;
  const options = {
    details,
    cause: error,
    retryable: true,
    hint: 'try again, or allow more time with --timeout',
  };
  const path = String(details['path']);
  if (error instanceof SilenceError) {
    return new UnavailableError(
      `${request.method} ${path} at ${access.displayServer}: the answer broke off, ${error.message}`,
      options,
    );
  }
  if (!(error instanceof TimeoutFailure)) return undefined;
  const seconds = String(error.milliseconds / 1000);
  if (error.what === 'connect') {
    const message = `no connection to ${access.displayServer} within ${seconds} s (server from ${access.serverOrigin})`;
    return new UnavailableError(message, {
      ...options,
      retryable: false,
      hint: 'check the address, firewalls and VPN',
    });
  }
  const message = `${request.method} ${path} at ${access.displayServer}: no answer within ${seconds} s`;
  return new UnavailableError(message, { ...options, retryable: false });
}

function certificateError(error: unknown, { access, code, details }: Facts): ToolError | undefined {
  const options = { details, cause: error };
  const server = `${access.displayServer} (server from ${access.serverOrigin})`;
  if (code !== undefined && UNTRUSTED.has(code)) {
    return new ConfigError(
      `the certificate of ${server} is not signed by an authority that is trusted here: ${code}`,
      {
        ...options,
        hint: 'set certificate-authority of the cluster in the kubeconfig, or K8S_CA_FILE',
      },
    );
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const what = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return new UnavailableError(`the certificate of ${server} ${what}`, {
      ...options,
      hint: 'renew it on the server, or set the clock here right',
    });
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new ConfigError(`the certificate of ${server} is for another host: ${textOf(error)}`, {
      ...options,
      hint: 'use a host name of the certificate, or set tls-server-name of the cluster in the kubeconfig',
    });
  }
  return tlsError(error, { access, code, details });
}

/** Failures of the handshake itself. */
function tlsError(error: unknown, { access, code, details }: Facts): ToolError | undefined {
  const text = textOf(error);
  if (code === undefined || !/^(ERR_SSL|ERR_OSSL|EPROTO)/.test(code)) return undefined;
  const options = { details, cause: error };
  if (/wrong version number|packet length too long|http request/i.test(text)) {
    const message = `${access.displayServer} does not speak TLS (server from ${access.serverOrigin})`;
    return new ConfigError(message, {
      ...options,
      hint: 'check scheme and port of the server URL',
    });
  }
  if (/alert/i.test(text) && /certificate|unknown ca/i.test(text)) {
    const message = `${access.displayServer} does not accept the client certificate of ${access.identity}: ${code}`;
    return new ConfigError(message, { ...options, hint: 'renew the client certificate' });
  }
  return new ConfigError(`TLS with ${access.displayServer} fails: ${code}`, {
    ...options,
    hint: `check certificates and keys of ${access.identity}`,
  });
}

function connectionError(
  error: unknown,
  { access, code, details, path }: Facts & { readonly path: string },
): ToolError {
  const server = `${access.displayServer} (server from ${access.serverOrigin})`;
  const options = { details, cause: error, retryable: true };
  switch (code) {
    case 'ENOTFOUND':
      return new UnavailableError(`the host of ${server} is not known`, {
        ...options,
        retryable: false,
        hint: 'check the server URL and DNS',
      });
    case 'EAI_AGAIN':
      return new UnavailableError(`the host of ${server} cannot be looked up now`, {
        ...options,
        hint: 'check DNS',
      });
    case 'ECONNREFUSED':
      return new UnavailableError(`nothing accepts connections at ${server}`, {
        ...options,
        hint: 'check that the API server runs and that the port is right',
      });
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return new UnavailableError(`${server} cannot be reached: ${code}`, {
        ...options,
        hint: 'check the network, firewalls and VPN',
      });
    default:
      return new UnavailableError(
        `the connection to ${server} broke off during ${path}: ${code ?? textOf(error)}`,
        options,
      );
  }
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  // A host with several addresses fails with one error for each.
  return Array.isArray(errors) ? codeOf(errors[0]) : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
