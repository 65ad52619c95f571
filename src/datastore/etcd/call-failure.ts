import type { Endpoint } from './endpoints.ts';

/** Numbers of gRPC's statuses. Source: gRPC documentation, "Status codes and their use in gRPC". */
export const STATUS = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** One call to one endpoint that brought no answer, or a refusal. */
export class CallFailure extends Error {
  readonly endpoint: Endpoint;
  /** One of {@link STATUS}, or another one of gRPC. */
  readonly status: number;
  /** Whether there was no connection, so that the request never left. */
  readonly wasNeverSent: boolean;

  constructor(
    text: string,
    facts: {
      readonly endpoint: Endpoint;
      readonly status: number;
      readonly wasNeverSent: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(text, { cause: facts.cause });
    this.name = 'CallFailure';
    this.endpoint = facts.endpoint;
    this.status = facts.status;
    this.wasNeverSent = facts.wasNeverSent;
  }
}

/** Texts by which etcd tells apart what has one status of gRPC. Source: etcd, api/v3rpc/rpctypes/error.go. */
const REASONS = {
  'invalid-token': ['invalid auth token', 'revision of auth store is old'],
  'wrong-password': ['authentication failed'],
  'no-user': ['user name is empty'],
  'auth-disabled': ['authentication is not enabled'],
  compacted: ['required revision has been compacted'],
  'too-large': ['request is too large', 'grpc: received message larger than max'],
  'answer-too-large': ['Received message larger than max'],
  'no-space': ['database space exceeded'],
  'no-leader': ['etcdserver: no leader'],
  busy: ['too many requests'],
  learner: ['not supported for learner', 'not capable'],
} as const;

/** Why etcd refused, as far as the status of gRPC does not say it. */
export type Reason = keyof typeof REASONS;

/** The reason in the text of a failure; undefined for any other. */
export function reasonOf({ message }: CallFailure): Reason | undefined {
  return (Object.keys(REASONS) as Reason[]).find((reason) =>
    REASONS[reason].some((text) => message.includes(text)),
  );
}

/** What to do after a failed call. */
export type NextStep =
  /** Sign in again, since the token has expired. */
  | 'sign-in'
  /** Ask another endpoint, and this one again in the next round. */
  | 'go-on'
  /** Ask another endpoint, and this one no more: it hangs, or its certificate is not right. */
  | 'leave-endpoint'
  /** Whoever is asked will say the same, or a write may have been done already. */
  | 'give-up';

/** Reasons for which etcd refuses before it does anything, and another endpoint or moment may be better. */
const UNTOUCHED: ReadonlySet<Reason | undefined> = new Set<Reason>([
  'no-leader',
  'busy',
  'learner',
]);

/** Statuses of connections that broke, and of servers that are not well. */
const PASSING: ReadonlySet<number> = new Set([
  STATUS.cancelled,
  STATUS.unknown,
  STATUS.aborted,
  STATUS.internal,
  STATUS.unavailable,
]);

/** Decides over the next step. A write that may have been done is never sent again. */
export function nextStep(failure: CallFailure, isWrite: boolean): NextStep {
  const { status, wasNeverSent } = failure;
  if (wasNeverSent) return isLasting(failure) ? 'leave-endpoint' : 'go-on';
  const reason = reasonOf(failure);
  if (reason === 'invalid-token') return 'sign-in';
  if (UNTOUCHED.has(reason)) return 'go-on';
  if (isWrite || reason !== undefined) return 'give-up';
  if (status === STATUS.deadlineExceeded) return 'leave-endpoint';
  return PASSING.has(status) ? 'go-on' : 'give-up';
}

/** Whether the answer to a write is missing, so that it may have been done. */
export function isAnswerLost(failure: CallFailure): boolean {
  const { status, wasNeverSent } = failure;
  if (wasNeverSent || reasonOf(failure) !== undefined) return false;
  return PASSING.has(status) || status === STATUS.deadlineExceeded;
}

/** A connection that timed out, or that TLS forbids, will not be better in half a second. */
function isLasting({ status, message }: CallFailure): boolean {
  return status === STATUS.deadlineExceeded || /certificate|SSL|TLS|altnames/i.test(message);
}
