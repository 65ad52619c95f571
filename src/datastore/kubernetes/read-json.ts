import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { requestText } from './map-error.ts';
import { type RetryOptions, sendRetrying } from './retry.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/**
 * Reads one JSON object; undefined when the server has none of that path, or gives an answer that the caller accepts.
 * @throws {@link UnavailableError} when what answers is no API server.
 */
export async function readJson(
  transport: Transport,
  request: Omit<ApiRequest, 'method'>,
  options: RetryOptions = {},
): Promise<JsonObject | undefined> {
  const sent: ApiRequest = { ...request, method: 'GET' };
  // The caller is asked first, since it may want to know the status.
  const accepts = (status: number): boolean => options.accepts?.(status) === true || status === 404;
  const response = await sendRetrying(transport, sent, { accepts });
  if (response.status !== 200) {
    response.body.discard();
    return undefined;
  }
  return parseObject(await response.body.bytes(), { response, request: sent, transport });
}

interface Answer {
  readonly response: ApiResponse;
  readonly request: ApiRequest;
  readonly transport: Transport;
}

/** The object of an answer. @throws {@link UnavailableError} when what answers is no API server. */
export function parseObject(bytes: Buffer, answer: Answer): JsonObject {
  try {
    const value = parseJson(bytes.toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw notKubernetes(answer, error);
  }
  throw notKubernetes(answer, undefined);
}

/** Something else answers, such as the login page of a proxy. */
export function notKubernetes(
  { response, request, transport }: Answer,
  cause: unknown,
): UnavailableError {
  const type = response.headers['content-type'] ?? 'no content type';
  return new UnavailableError(
    `${requestText(request, transport.access)}: the answer is not from an API server (${type})`,
    {
      hint: 'check the server URL, and proxies on the way',
      cause,
    },
  );
}
