import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { EtcdConnection } from '../connection.ts';
import type { Ports } from '../ports.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { TokenHolder } from './auth.ts';
import { CallFailure, nextStep } from './call-failure.ts';
import type { Endpoint } from './endpoints.ts';
import { type RequestSubject, requestError } from './map-error.ts';
import type { Transport } from './transport.ts';

/** How often all endpoints are asked before a request fails. */
const ROUNDS = 4;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
/** Tokens that one request gets; more than one may expire while endpoints fail over. */
const SIGN_INS = 2;

/** One request, whichever endpoint answers it. */
export interface EtcdRequest<T> {
  readonly method: string;
  readonly message: Buffer;
  /** Reads the answer. @throws RangeError when it is none. */
  readonly decode: (answer: Buffer) => T;
  readonly isWrite: boolean;
  readonly subject: Omit<RequestSubject, 'bytes'>;
  /** Absent for the request that fetches the token itself. */
  readonly tokens?: TokenHolder | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What sending rests on. */
export interface SenderParts {
  readonly endpoints: readonly Endpoint[];
  readonly transport: Transport;
  readonly limit: RateLimit | undefined;
  readonly ports: Ports;
  readonly connection: EtcdConnection;
}

/** Sends requests to the endpoint that answered last, and to the others when it does not. */
export class Sender {
  readonly #parts: SenderParts;
  /** Position of the endpoint that is asked first. */
  #preferred = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /**
   * The answer. A read goes to every endpoint, several times, with growing jittered waits between the rounds; a write goes
   * on only as long as it cannot have been done.
   *
   * @throws A {@link ToolError} made of the failures, or the reason of the signal when it aborts.
   */
  async send<T>(request: EtcdRequest<T>): Promise<T> {
    const left = new Set(this.#inOrder());
    let failures: CallFailure[] = [];
    for (let round = 1; round <= ROUNDS && left.size > 0; round++) {
      if (round > 1) await this.#parts.ports.sleep(this.#waitMs(round), request.signal);
      // Of an endpoint that is asked again only the newer failure counts.
      failures = failures.filter(({ endpoint }) => !left.has(endpoint));
      for (const endpoint of left) {
        const outcome = await this.#ask(endpoint, request);
        if ('answer' in outcome) return outcome.answer;
        failures.push(outcome.failure);
        const step = nextStep(outcome.failure, request.isWrite);
        if (step === 'give-up' || step === 'sign-in') throw this.#error(failures, request);
        this.#moveOnFrom(endpoint);
        if (step === 'leave-endpoint') left.delete(endpoint);
      }
    }
    throw this.#error(failures, request);
  }

  async #ask<T>(
    endpoint: Endpoint,
    request: EtcdRequest<T>,
  ): Promise<{ readonly answer: T } | { readonly failure: CallFailure }> {
    for (let signIns = 0; ; signIns++) {
      const token = await request.tokens?.token();
      try {
        const { method, message, signal } = request;
        await this.#parts.limit?.take(signal);
        const answer = await this.#parts.transport.send(endpoint, {
          ...{ method, message, token, signal },
        });
        return { answer: decoded(request, answer, endpoint) };
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        const wantsToken = nextStep(failure, request.isWrite) === 'sign-in';
        if (!wantsToken || request.tokens === undefined || signIns >= SIGN_INS) return { failure };
        await request.tokens.forget(token);
      }
    }
  }

  /** All endpoints, the preferred one first. */
  #inOrder(): readonly Endpoint[] {
    const { endpoints } = this.#parts;
    return [...endpoints.slice(this.#preferred), ...endpoints.slice(0, this.#preferred)];
  }

  /** Lets later requests begin with the endpoint after one that failed. */
  #moveOnFrom(endpoint: Endpoint): void {
    const { endpoints } = this.#parts;
    if (endpoints[this.#preferred] === endpoint) {
      this.#preferred = (this.#preferred + 1) % endpoints.length;
    }
  }

  #waitMs(round: number): number {
    const growing = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (round - 2));
    // Between half and all of it, so that many clients do not come back together.
    return growing * (0.5 + this.#parts.ports.random() / 2);
  }

  #error<T>(failures: readonly CallFailure[], request: EtcdRequest<T>): Error {
    const subject = { ...request.subject, bytes: request.message.length };
    return requestError(failures, { subject, connection: this.#parts.connection });
  }
}

function decoded<T>(request: EtcdRequest<T>, answer: Buffer, endpoint: Endpoint): T {
  try {
    return request.decode(answer);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new UnavailableError(`${endpoint.display} gives answers that are not etcd's`, {
      hint: 'check that the endpoint is that of an etcd v3',
      details: { endpoint: endpoint.display },
      cause,
    });
  }
}
