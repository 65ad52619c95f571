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
    const attributes = { verb, resource, subresource, group: apiGroup };
    if (await review(transport, attributes, signal)) return undefined;
    const missing = subresource === '' ? resource : `${resource}/${subresource}`;
    return { verb, resource: missing, ...(apiGroup === '' ? {} : { apiGroup }) };
  });
  return answers.filter((right) => right !== undefined);
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
