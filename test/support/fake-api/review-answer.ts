import { type JsonObject, parseJson } from '../../../src/support/json.ts';
import { type Answer, jsonAnswer } from './answer.ts';

/** Where a client asks for its own rights. */
export const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Allows everything but what is done to forbidden resources. */
export function reviewAnswer(text: string, forbidden: ReadonlySet<string>): Answer {
  const review = parseJson(text) as JsonObject;
  const { resourceAttributes } = review['spec'] as { resourceAttributes: { resource: string } };
  const allowed = !forbidden.has(resourceAttributes.resource);
  return jsonAnswer({ ...review, status: { allowed } }, 201);
}
