import { ConfigError } from '../../errors/config-error.ts';
import type { ToolError } from '../../errors/tool-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { EtcdConnection } from '../connection.ts';
import { type CallFailure, STATUS } from './call-failure.ts';

/** Why there is no connection to one endpoint. */
interface Obstacle {
  /** Continues the name of the endpoint. */
  readonly problem: string;
  readonly hint: string;
  /** Whether the settings are wrong, so that waiting does not help. */
  readonly isSetting?: boolean;
}

/** How the texts of Node and OpenSSL are understood, the first that fits; gRPC passes nothing else on. */
const OBSTACLES: readonly (readonly [RegExp, (connection: EtcdConnection) => Obstacle])[] = [
  [
    /alert.*(certificate|unknown ca)|(bad|required).*certificate|certificate required/i,
    (connection) => ({
      problem: 'the server does not accept the client certificate',
      hint: clientCertificateHint(connection),
      isSetting: true,
    }),
  ],
  [
    /self.signed certificate|unable to (verify|get)|certificate signature failure|not trusted/i,
    ({ ca, caFile }) => ({
      problem: 'its certificate is not signed by an authority that is trusted here',
      hint: `${(ca ?? caFile)?.origin ?? 'ETCD_CA_CERT_FILE'} must name the authority of etcd's certificates`,
      isSetting: true,
    }),
  ],
  [
    /certificate (has expired|is not yet valid)/i,
    () => ({
      problem: 'its certificate has expired, or is not valid yet',
      hint: 'renew it on the server, or set the clock here right',
    }),
  ],
  [
    /altnames|does not match certificate/i,
    () => ({
      problem: 'its certificate is for another host',
      hint: 'use a host name or address of the certificate in the endpoint',
      isSetting: true,
    }),
  ],
  [
    /wrong version number|packet length too long|http request/i,
    () => ({
      problem: 'it does not speak TLS',
      hint: 'write the endpoint with http:// if etcd serves without TLS',
      isSetting: true,
    }),
  ],
  [
    /before secure TLS connection/,
    () => ({
      problem: 'the server ends the connection before TLS is agreed on',
      hint: 'write the endpoint with http:// if etcd serves without TLS',
    }),
  ],
  [
    /SSL|TLS|alert/i,
    () => ({
      problem: 'TLS cannot be agreed on',
      hint: 'check TLS_MIN_VERSION, TLS_CIPHER_SUITES and the certificates',
      isSetting: true,
    }),
  ],
  [
    /Name resolution failed|ENOTFOUND|EAI_AGAIN/,
    () => ({ problem: 'the host is not known', hint: 'check the endpoint and DNS' }),
  ],
  [
    /ECONNREFUSED/,
    () => ({
      problem: 'nothing accepts connections',
      hint: 'check that etcd runs and that the port is right',
    }),
  ],
  [
    /ECONNRESET|socket (closed|hang up)|disconnected|Failed to connect/i,
    () => ({
      problem: 'the server ends the connection',
      hint: 'check that http or https of the endpoint is right, and that etcd serves at this port',
    }),
  ],
];

/** Makes our error of connections that could not be made; each failure is that of one endpoint. */
export function connectionError(
  failures: readonly CallFailure[],
  connection: EtcdConnection,
): ToolError {
  const known = failures.map((failure) => ({ failure, ...obstacleOf(failure, connection) }));
  const [first] = known;
  const each = known.map(({ failure, problem }) => `${failure.endpoint.display}: ${problem}`);
  const origin = failures[0]?.endpoint.origin ?? '';
  const options = {
    hint: first?.hint,
    details: {
      endpoints: failures.map(({ endpoint }) => endpoint.display),
      origin,
      causes: failures.map(({ message }) => message),
    },
    cause: failures[0],
  };
  const message = `no connection to etcd (endpoints from ${origin}): ${each.join('; ')}`;
  if (known.every(({ isSetting }) => isSetting === true)) return new ConfigError(message, options);
  return new UnavailableError(message, { ...options, retryable: true });
}

function obstacleOf(failure: CallFailure, connection: EtcdConnection): Obstacle {
  const { message, status } = failure;
  if (status === STATUS.deadlineExceeded) {
    return { problem: message, hint: 'check the address, firewalls and VPN' };
  }
  const found = OBSTACLES.find(([pattern]) => pattern.test(message));
  return found?.[1](connection) ?? { problem: message, hint: 'check the endpoint and the network' };
}

function clientCertificateHint({ cert, certFile }: EtcdConnection): string {
  const origin = (cert ?? certFile)?.origin;
  return origin === undefined
    ? 'set ETCD_CERT_FILE and ETCD_KEY_FILE'
    : `check that the certificate of ${origin} is valid and signed by an authority that etcd trusts`;
}
