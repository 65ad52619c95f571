import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import { ConfigError } from '../../errors/config-error.ts';
import { ConflictError } from '../../errors/conflict-error.ts';
import { DataError } from '../../errors/data-error.ts';
import { NotFoundError } from '../../errors/not-found-error.ts';
import type { ToolError, ToolErrorOptions } from '../../errors/tool-error.ts';
import { UnavailableError } from '../../errors/unavailable-error.ts';
import type { ClusterAccess } from './credentials.ts';
import { type ServerStatus, readStatus } from './server-status.ts';
import type { ApiRequest, ApiResponse } from './transport.ts';

/** A right that was missing, as RBAC names it; `apiGroup` is absent for core kinds. */
export interface DeniedRight {
  readonly verb: string;
  /** Plural of the kind, with its subresource where that is meant; or the path of something that is no resource. */
  readonly resource: string;
  readonly apiGroup?: string | undefined;
}

/** Longest text of a server that is repeated in a message. */
const MAX_TEXT = 300;

/**
 * Makes our error of an answer that is no success. Its message names the path, never the query or a credential.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/api-concepts/, answers of type Status.
 */
export async function statusError(
  response: ApiResponse,
  request: ApiRequest,
  access: ClusterAccess,
): Promise<ToolError> {
  return refusalError(await readStatus(response), response.status, { request, access });
}

/** The same for an answer whose body has been read. */
export function refusalError(
  server: ServerStatus,
  status: number,
  { request, access }: { readonly request: ApiRequest; readonly access: ClusterAccess },
): ToolError {
  if (status === 401) return notAuthenticated(request, access, server);
  if (status === 403) return notAllowed(request, server);
  const place = requestText(request, access);
  const said =
    server.message === undefined ? `HTTP status ${String(status)}` : shortened(server.message);
  const options = {
    details: { status, path: pathOf(request), reason: server.reason },
    retryable: isTransient(status),
  };
  return errorOfStatus(status, `${place}: ${said}`, options);
}

/** Method, path and server of a request, for messages. */
export function requestText(
  request: Pick<ApiRequest, 'method' | 'path'>,
  access: ClusterAccess,
): string {
  return `${request.method} ${pathOf(request)} at ${access.displayServer}`;
}

/** The right that a request needs. */
export function rightOf(request: Pick<ApiRequest, 'method' | 'path'>): DeniedRight {
  const path = pathOf(request);
  const match =
    /^\/(?:api\/[^/]+|apis\/(?<group>[^/]+)\/[^/]+)\/(?:namespaces\/[^/]+\/(?=.))?(?<rest>.+)$/.exec(
      path,
    );
  if (!match?.groups) return { verb: request.method.toLowerCase(), resource: path };
  const [plural = path, name, subresource] = (match.groups['rest'] ?? '').split('/');
  const apiGroup = match.groups['group'];
  return {
    verb: verbOf(request.method, name !== undefined),
    resource: subresource === undefined ? plural : `${plural}/${subresource}`,
    ...(apiGroup === undefined ? {} : { apiGroup }),
  };
}

function errorOfStatus(status: number, message: string, options: ToolErrorOptions): ToolError {
  if (status === 404) return new NotFoundError(message, options);
  if (status === 409) return new ConflictError(message, options);
  if (status === 422) return new DataError(message, options);
  if (status >= 300 && status < 400) {
    return new ConfigError(message, {
      ...options,
      hint: 'something between here and the API server redirects; check the server URL',
    });
  }
  if (status === 400 && message.includes('HTTP request to an HTTPS server')) {
    return new ConfigError(message, { ...options, hint: 'use https:// in the server URL' });
  }
  return new UnavailableError(message, options);
}

function notAuthenticated(
  request: ApiRequest,
  access: ClusterAccess,
  server: ServerStatus,
): ToolError {
  return new AccessDeniedError(
    `${access.displayServer} does not accept the credentials of ${access.identity}`,
    {
      hint: 'log in again, or choose another context with --context',
      details: {
        status: 401,
        path: pathOf(request),
        reason: server.reason,
        denied: [rightOf(request)],
      },
    },
  );
}

function notAllowed(request: ApiRequest, server: ServerStatus): ToolError {
  const right = rightOf(request);
  const said = server.message === undefined ? '' : `: ${shortened(server.message)}`;
  const subject =
    right.apiGroup === undefined ? right.resource : `${right.resource}.${right.apiGroup}`;
  return new AccessDeniedError(
    `not allowed to ${right.verb} ${subject} (${pathOf(request)})${said}`,
    {
      hint: `ask for the right; test it with: kubectl auth can-i ${right.verb} ${subject} --all-namespaces`,
      details: { status: 403, path: pathOf(request), reason: server.reason, denied: [right] },
    },
  );
}

/** Whether the same request may succeed a moment later. */
function isTransient(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

function verbOf(method: ApiRequest['method'], named: boolean): string {
  switch (method) {
    case 'GET':
      return named ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return named ? 'delete' : 'deletecollection';
  }
}

/** The path without its query, which may hold a token of a page. */
function pathOf(request: Pick<ApiRequest, 'path'>): string {
  return request.path.replace(/\?.*$/s, '');
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
