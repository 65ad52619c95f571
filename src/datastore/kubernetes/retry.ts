import { ToolError } from '../../errors/tool-error.ts';
import { statusError } from './map-error.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** How often a request is sent in all. */
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;
/** A server that asks for more than this is not waited for. */
const LONGEST_RETRY_AFTER_MS = 30_000;

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Answers that the caller wants to see instead of an error or another attempt; asked for each refusal, 404 included. */
export interface RetryOptions {
  readonly accepts?: ((status: number) => boolean) | undefined;
}

/**
 * Sends a reading request until it succeeds, at most four times: again after throttling, server errors and lost
 * connections, with growing jittered waits or as long as the server asks for.
 *
 * @throws A {@link ToolError} made from the last answer, or why there was none.
 */
export async function sendRetrying(
  transport: Transport,
  request: ApiRequest,
  options: RetryOptions = {},
): Promise<ApiResponse> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(transport, request, options);
    if ('response' in outcome) return outcome.response;
    if (!outcome.error.retryable || attempt >= ATTEMPTS) throw outcome.error;
    await transport.ports.sleep(waitMs(attempt, outcome.retryAfterMs, transport), request.signal);
  }
}

/** Milliseconds before the attempt after this one. */
export function waitMs(
  attempt: number,
  retryAfterMs: number | undefined,
  transport: Transport,
): number {
  const growing = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  // Between half and all of it, so that many clients do not come back together.
  const jittered = growing * (0.5 + transport.ports.random() / 2);
  return retryAfterMs === undefined ? jittered : retryAfterMs + jittered / 2;
}

type SendOutcome =
  | { readonly response: ApiResponse }
  | { readonly error: ToolError; readonly retryAfterMs?: number | undefined };

async function sendOnce(
  transport: Transport,
  request: ApiRequest,
  options: RetryOptions,
): Promise<SendOutcome> {
  let response: ApiResponse;
  try {
    response = await transport.send(request);
  } catch (error) {
    if (error instanceof ToolError) return { error };
    throw error;
  }
  if (isSuccess(response.status) || options.accepts?.(response.status)) return { response };
  const error = await statusError(response, request, transport.access);
  const retryAfterMs = retryAfter(response);
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) throw error;
  return { error, retryAfterMs };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Milliseconds that a throttling server asks to wait; undefined when it does not say. */
export function retryAfter(response: ApiResponse): number | undefined {
  if (!TRANSIENT_STATUSES.has(response.status)) return undefined;
  const seconds = Number(response.headers['retry-after']);
  return Number.isFinite(seconds) && seconds >= 0 && response.headers['retry-after'] !== ''
    ? seconds * 1000
    : undefined;
}
