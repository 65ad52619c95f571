import { AccessDeniedError } from '../../errors/access-denied-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { mapLimit } from '../../support/map-limit.ts';
import { stringifyJson } from '../../support/json.ts';
import type { AccessRight, WriteRight } from '../datastore.ts';
import { objectMember } from '../codec/encode-fields.ts';
import { type GroupChoice, kindPath } from './paths.ts';
import { parseObject } from './read-json.ts';
import { sendRetrying } from './retry.ts';
import type { ApiRequest, Transport } from './transport.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
/** Reviews in flight. */
const CONCURRENCY = 8;

/**
 * Asks the server which of these rights the user lacks: one SelfSubjectAccessReview each. A server that does not answer
 * reviews lacks none; the write itself will tell.
 */
export async function missingRights(
  transport: Transport,
  groups: GroupChoice,
  question: { readonly rights: readonly WriteRight[]; readonly signal?: AbortSignal | undefined },
): Promise<AccessRight[]> {
  const { rights, signal } = question;
  const answers = await mapLimit(rights, { limit: CONCURRENCY, signal }, async ({ verb, kind }) => {
    const path = kindPath(kind, groups);
    // Nodes are made and removed by Kubernetes, and changed through their status.
    const isNodeWrite = kind === 'Node' && verb !== 'get';
    if (path === undefined || (isNodeWrite && verb !== 'update')) return undefined;
    const { resource, apiGroup } = path;
    const subresource = isNodeWrite ? 'status' : '';
    // A role may grant the only object of a kind by its name; one that is made has none yet.
    const name = verb === 'create' ? undefined : path.only;
    const attributes = { verb, resource, subresource, group: apiGroup, ...(name && { name }) };
    if (await review(transport, attributes, signal)) return undefined;
    const missing = subresource === '' ? resource : `${resource}/${subresource}`;
    return { verb, resource: missing, ...(apiGroup === '' ? {} : { apiGroup }) };
  });
  return answers.filter((right) => right !== undefined);
}

/** Verbs that installing a definition needs: the server asks for `create` when it applies one that is not there. */
const INSTALLING = ['get', 'patch', 'create'] as const;

/**
 * Asks whether the user may install the definition of this name.
 * @throws {@link AccessDeniedError} naming every verb that is missing.
 */
export async function assertMayInstall(
  transport: Transport,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [resource, apiGroup] = ['customresourcedefinitions', 'apiextensions.k8s.io'];
  const answers = await mapLimit(INSTALLING, { limit: CONCURRENCY, signal }, async (verb) => {
    const attributes = { verb, resource, subresource: '', group: apiGroup, name };
    return (await review(transport, attributes, signal)) ? undefined : { verb, resource, apiGroup };
  });
  const denied = answers.filter((right) => right !== undefined);
  if (denied.length === 0) return;
  const names = denied.map(({ verb }) => `${verb} ${resource}.${apiGroup}`);
  throw new AccessDeniedError(`access denied: ${names.join(', ')}`, {
    hint: 'ask for these rights, or have the definitions installed by somebody who has them; nothing was written',
    details: { denied },
  });
}

async function review(
  transport: Transport,
  resourceAttributes: JsonObject,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const body = {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    spec: { resourceAttributes },
  };
  const request: ApiRequest = {
    method: 'POST',
    path: REVIEWS,
    body: { type: 'application/json', text: stringifyJson(body) },
    signal,
  };
  const accepts = (status: number): boolean => status === 403 || status === 404;
  // A review changes nothing, so it may be sent again.
  const response = await sendRetrying(transport, request, { accepts });
  if (accepts(response.status)) {
    response.body.discard();
    return true;
  }
  const answer = parseObject(await response.body.bytes(), { response, request, transport });
  return objectMember(answer, 'status')['allowed'] === true;
}
