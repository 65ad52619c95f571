import { ToolError } from '../../errors/tool-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { stringifyJson } from '../../support/json.ts';
import { parseObject } from './read-json.ts';
import type { WrittenName } from '../row-errors.ts';
import { retryAfter, waitMs } from './retry.ts';
import type { ApiRequest, Transport } from './transport.ts';
import { writeError } from './write-error.ts';

/** How often a write is sent in all. */
const ATTEMPTS = 4;
/** A server that asks for more than this is not waited for. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/** A write under a condition, so that it can take effect once only, however often it is sent. */
export interface ConditionalWrite {
  readonly transport: Transport;
  readonly request: ApiRequest;
  readonly row: WrittenName;
}

/** How a write ended. */
export type WriteOutcome =
  | { readonly object: JsonObject }
  | {
      readonly error: ToolError;
      /**
       * True when an earlier attempt got no answer, so that the refusal may come from our own write: the row itself has to
       * tell.
       */
      readonly isDoubtful: boolean;
    };

/**
 * Sends a conditional write, at most four times: again after throttling, server errors and lost connections, as long as
 * its condition keeps it from taking effect twice.
 */
export async function sendWrite(write: ConditionalWrite): Promise<WriteOutcome> {
  const { transport, request } = write;
  let isDoubtful = false;
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(write);
    if ('object' in outcome) return outcome;
    isDoubtful ||= outcome.mayHaveApplied;
    const isLast = attempt >= ATTEMPTS || (outcome.retryAfterMs ?? 0) > LONGEST_RETRY_AFTER_MS;
    if (!outcome.error.retryable || !outcome.isTransient || isLast) {
      return { error: outcome.error, isDoubtful };
    }
    await transport.ports.sleep(waitMs(attempt, outcome.retryAfterMs, transport), request.signal);
  }
}

/** A request with a JSON body. */
export function writeRequest(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, signal }: { readonly body: JsonObject; readonly signal: AbortSignal | undefined },
): ApiRequest {
  return { method, path, body: { type: 'application/json', text: stringifyJson(body) }, signal };
}

type Attempt =
  | { readonly object: JsonObject }
  | {
      readonly error: ToolError;
      readonly mayHaveApplied: boolean;
      readonly isTransient: boolean;
      readonly retryAfterMs?: number | undefined;
    };

async function sendOnce(write: ConditionalWrite): Promise<Attempt> {
  const { transport, request } = write;
  try {
    const response = await transport.send(request);
    const { status } = response;
    if (status >= 200 && status < 300) {
      const bytes = await response.body.bytes();
      return { object: parseObject(bytes, { response, request, transport }) };
    }
    const error = await writeError(response, write);
    const retryAfterMs = retryAfter(response);
    // A throttled request was not even looked at; a failed one may be carried out all the same.
    return {
      error,
      retryAfterMs,
      mayHaveApplied: status >= 500,
      isTransient: status === 429 || status >= 500,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const isUnavailable = error instanceof UnavailableError;
    return {
      error,
      mayHaveApplied: isUnavailable && !wasNeverSent(error),
      isTransient: isUnavailable,
    };
  }
}

/** Whether the connection was not even made. */
function wasNeverSent(error: UnavailableError): boolean {
  const { cause } = error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(
    String(code),
  );
}
