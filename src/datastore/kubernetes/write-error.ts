import type { ToolError } from '../../errors/tool-error.ts';
import { alreadyExists, conflict, notFound, type WrittenName } from '../row-errors.ts';
import { refusalError } from './map-error.ts';
import { readStatus, type ServerStatus } from './server-status.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

/** A write that the server refused. */
export interface RefusedWrite {
  readonly transport: Transport;
  readonly request: ApiRequest;
  readonly row: WrittenName;
}

/** How Kubernetes says that an object of that name was made anew since it was read. */
const UID_CHANGED = 'UID in precondition';

/**
 * Makes our error of a refused write. A row that was made anew under its name counts as gone, as in Calico's library.
 *
 * Source: Calico libcalico-go lib/backend/k8s/resources, mapping of server answers to errors.
 */
export async function writeError(
  response: ApiResponse,
  { transport, request, row }: RefusedWrite,
): Promise<ToolError> {
  const server = await readStatus(response);
  const { status } = response;
  if (status === 409) return conflictOf(server, row);
  if (status === 404 && request.method !== 'POST') return notFound(row);
  const blamed = status === 422 ? preconditionOf(server.causeFields ?? []) : undefined;
  if (blamed === 'revision') return conflict(row);
  if (blamed === 'uid') return notFound(row);
  return refusalError(server, status, { request, access: transport.access });
}

function conflictOf({ message = '', reason }: ServerStatus, row: WrittenName): ToolError {
  if (reason === 'AlreadyExists') return alreadyExists(row);
  return message.includes(UID_CHANGED) ? notFound(row) : conflict(row);
}

/** The precondition that alone made an object invalid. */
function preconditionOf(fields: readonly string[]): 'revision' | 'uid' | undefined {
  const isRevision = (field: string): boolean => field === 'metadata.resourceVersion';
  if (fields.length === 0) return undefined;
  if (fields.every(isRevision)) return 'revision';
  return fields.every((field) => field === 'metadata.uid' || isRevision(field)) ? 'uid' : undefined;
}
