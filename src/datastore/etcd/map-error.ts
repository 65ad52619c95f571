import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { DataError } from '../../errors/data-error.ts';
import type { ToolError } from '../../errors/tool-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { EtcdConnection } from '../connection.ts';
import { AnswerTooLargeError } from './answer-too-large-error.ts';
import { userOf } from './auth.ts';
import { type CallFailure, isAnswerLost, type Reason, reasonOf, STATUS } from './call-failure.ts';
import { CompactedError } from './compacted-error.ts';
import { connectionError } from './map-connection-error.ts';

/** What a request was about, for the texts of errors. */
export interface RequestSubject {
  /** What it does, as a right: `get`, `list`, `create`, `update`, `delete`, or `authenticate`. */
  readonly verb: string;
  /** Key, or prefix of keys. */
  readonly resource: string;
  /** Revision that was asked for. */
  readonly revision?: bigint | undefined;
  /** Bytes that were sent. */
  readonly bytes: number;
}

/** What the request and the settings behind it were. */
export interface FailureContext {
  readonly subject: RequestSubject;
  readonly connection: EtcdConnection;
}

/** Makes our error of the failures of one request, one for each endpoint that was asked, the last one last. */
export function requestError(failures: readonly CallFailure[], context: FailureContext): ToolError {
  const last = failures.at(-1);
  if (last === undefined) return new UnavailableError('etcd was not asked');
  if (failures.every(({ wasNeverSent }) => wasNeverSent)) {
    return connectionError(failures, context.connection);
  }
  return refusal(last, context) ?? outage(failures, context);
}

/** The error for what etcd itself said. */
function refusal(failure: CallFailure, context: FailureContext): ToolError | undefined {
  const reason = reasonOf(failure);
  if (reason !== undefined) return reasonError(reason, failure, context);
  if (failure.status === STATUS.permissionDenied) return notAllowed(failure, context);
  if (failure.status !== STATUS.unauthenticated) return undefined;
  return denied(failure, `${nameOf(context)} is not signed in: ${failure.message}`);
}

function reasonError(
  reason: Reason,
  failure: CallFailure,
  context: FailureContext,
): ToolError | undefined {
  const { subject, connection } = context;
  switch (reason) {
    case 'wrong-password':
      return denied(
        failure,
        `${nameOf(context)} and the password are not accepted`,
        `check user (${connection.username?.origin ?? 'none'}) and password (${connection.password?.origin ?? 'none'})`,
      );
    case 'no-user':
      return denied(failure, 'a user is needed', userHint(connection));
    case 'invalid-token':
      return denied(failure, `the token of ${nameOf(context)} is refused again and again`);
    case 'compacted':
      return new CompactedError(subject.revision, failure);
    case 'too-large':
      return new DataError(
        `${subject.resource}: ${String(subject.bytes)} bytes are too many for ${failure.endpoint.display}`,
        { hint: 'let etcd take larger requests (--max-request-bytes)', cause: failure },
      );
    case 'answer-too-large':
      return new AnswerTooLargeError(`${subject.resource}: the value is too large to be read`, {
        details: { key: subject.resource },
        cause: failure,
      });
    case 'no-space':
      return new UnavailableError(`${failure.endpoint.display}: the database of etcd is full`, {
        hint: 'compact and defragment etcd, then disarm its alarm',
        details: { endpoint: failure.endpoint.display },
        cause: failure,
      });
    default:
      return undefined;
  }
}

function notAllowed(failure: CallFailure, context: FailureContext): AccessDeniedError {
  const { verb, resource } = context.subject;
  const { display } = failure.endpoint;
  return new AccessDeniedError(`${nameOf(context)} may not ${verb} ${resource} at ${display}`, {
    hint: "grant a role of the user's what it needs on the prefix /calico/: read, or readwrite",
    details: { endpoint: display, denied: [{ verb, resource }] },
    cause: failure,
  });
}

function denied(failure: CallFailure, problem: string, hint?: string): AccessDeniedError {
  const { display } = failure.endpoint;
  return new AccessDeniedError(`access to etcd at ${display}: ${problem}`, {
    hint,
    details: { endpoint: display, reason: failure.message },
    cause: failure,
  });
}

function nameOf({ connection }: FailureContext): string {
  const user = userOf(connection);
  return user === undefined ? 'the client' : `user ${user.name}`;
}

/** A user without password, or the reverse, does not count: that is worth a word when a user is missing. */
function userHint({ username, password }: EtcdConnection): string {
  const half = username ?? password;
  if (half === undefined) return 'set ETCD_USERNAME and ETCD_PASSWORD';
  const missing = username === undefined ? 'ETCD_USERNAME' : 'ETCD_PASSWORD';
  return `${half.origin} counts only together with ${missing}`;
}

/** The error for servers that are not well, or broke off. */
function outage(failures: readonly CallFailure[], { subject }: FailureContext): UnavailableError {
  const last = failures.at(-1);
  const lost = failures.some(isAnswerLost);
  const each = failures.map(({ endpoint, message }) => `${endpoint.display}: ${message}`);
  return new UnavailableError(
    `${subject.verb} ${subject.resource} at etcd fails: ${each.join('; ')}`,
    {
      hint: 'check that etcd is healthy and has a leader, or allow more time with --timeout',
      details: {
        endpoints: failures.map(({ endpoint }) => endpoint.display),
        statuses: failures.map(({ status }) => status),
        answerLost: lost,
      },
      cause: last,
      retryable: true,
    },
  );
}
