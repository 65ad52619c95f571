import { DataError } from '../../errors/data-error.ts';
import { InternalError } from '../../errors/internal-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import { type JsonObject, keyText, type ResourceKind } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { decodeObject } from '../codec/decode.ts';
import { encodeRow } from '../codec/encode.ts';
import { withoutManagedFields, withoutServerFields } from '../codec/encode-metadata.ts';
import { isSameWritten } from '../codec/same-written.ts';
import type { RowVersion, WritableRow } from '../datastore.ts';
import { withObject } from './list-parser.ts';
import { collectionPath, type GroupChoice, type KindPath, kindPath, objectPath } from './paths.ts';
import { readJson } from './read-json.ts';
import { sendWrite, type WriteOutcome, writeRequest } from './send-write.ts';
import type { ApiRequest, Transport } from './transport.ts';
import { alreadyExists, conflict, notFound } from '../row-errors.ts';

type Signal = AbortSignal | undefined;

/**
 * Writes rows through one API server, each under a condition: a create under that of its name, an update under the
 * resourceVersion and uid that were read, a removal under both as preconditions.
 */
export class RowWriter {
  readonly #transport: Transport;
  readonly #groups: GroupChoice;

  constructor(transport: Transport, groups: GroupChoice) {
    this.#transport = transport;
    this.#groups = groups;
  }

  /** @throws {@link AlreadyExistsError} */
  async create<R extends WritableRow>(row: R, signal: Signal): Promise<R> {
    const path = this.#pathOf(row.kind);
    const object = row.object && withoutServerFields(row.object);
    const body = encodeRow({ ...row, object, uid: undefined, revision: undefined }, this.#flavor);
    const request = writeRequest('POST', collectionPath(path), { body, signal });
    const outcome = await this.#send(request, row);
    if ('object' in outcome) return rowOf(row, outcome.object);
    const hasName = outcome.error.code === 'ALREADY_EXISTS';
    if (!hasName && !outcome.isDoubtful) throw outcome.error;
    const found = await this.#read(row, signal);
    if (found === undefined) throw hasName ? alreadyExists(row) : outcome.error;
    if (outcome.isDoubtful && isSameWritten(found, body)) return rowOf(row, found);
    const leftover = leftoverOf(row.kind, found);
    if (leftover === undefined) throw hasName ? outcome.error : alreadyExists(row);
    await this.remove(leftover, signal);
    const again = await this.#send(request, row);
    if ('object' in again) return rowOf(row, again.object);
    throw again.error;
  }

  /** @throws {@link ConflictError} @throws {@link NotFoundError} */
  async update<R extends WritableRow>(row: R, signal: Signal): Promise<R> {
    if (row.revision === undefined) {
      throw new InternalError(
        `${row.kind} ${keyText(row.key)} was to be written without its revision`,
      );
    }
    const object = row.object ?? (await this.#read(row, signal));
    if (object === undefined) throw notFound(row);
    const body = withoutManagedFields(encodeRow({ ...row, object }, this.#flavor));
    const path = objectPath(this.#pathOf(row.kind), row.key);
    const outcome = await this.#send(writeRequest('PUT', path, { body, signal }), row);
    if ('object' in outcome) return rowOf(row, outcome.object);
    if (!outcome.isDoubtful) throw outcome.error;
    const found = await this.#read(row, signal);
    if (found !== undefined && isSameWritten(found, body)) return rowOf(row, found);
    throw found === undefined ? notFound(row) : afterDoubt(row, found, outcome);
  }

  /** @throws {@link ConflictError} @throws {@link NotFoundError} */
  async remove(row: RowVersion, signal: Signal): Promise<void> {
    const path = objectPath(this.#pathOf(row.kind), row.key);
    const body = {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: {
        ...(row.uid === undefined ? {} : { uid: row.uid }),
        resourceVersion: row.revision,
      },
    };
    const outcome = await this.#send(writeRequest('DELETE', path, { body, signal }), row);
    if ('object' in outcome) return;
    if (!outcome.isDoubtful) throw outcome.error;
    if (outcome.error.code === 'NOT_FOUND') return;
    const found = await this.#read(row, signal);
    if (found === undefined || (row.uid !== undefined && uidOf(found) !== row.uid)) return;
    throw afterDoubt({ ...row }, found, outcome);
  }

  get #flavor(): 'crd' | 'v3' {
    return this.#groups.calico === 'projectcalico.org/v3' ? 'v3' : 'crd';
  }

  #send(request: ApiRequest, row: WritableRow | RowVersion): Promise<WriteOutcome> {
    const { kind, key } = row;
    return sendWrite({ transport: this.#transport, request, row: { kind, key } });
  }

  /** The row as it is now, whole. */
  #read(row: WritableRow | RowVersion, signal: Signal): Promise<JsonObject | undefined> {
    const path = objectPath(this.#pathOf(row.kind), row.key);
    return readJson(this.#transport, { path, signal });
  }

  #pathOf(kind: ResourceKind): KindPath {
    const path = kindPath(kind, this.#groups);
    if (path === undefined)
      throw new UnsupportedError(`Kubernetes does not keep rows of kind ${kind}`);
    return path;
  }
}

/** What stands in the way of a create only because nobody finished removing it. */
function leftoverOf(kind: ResourceKind, object: JsonObject): RowVersion | undefined {
  const row = decodeObject(kind, object);
  if (row === undefined || !('deleted' in row) || !row.deleted) return undefined;
  const { key, uid, revision } = row;
  return revision === undefined ? undefined : { kind, key, uid, revision };
}

/** The row was read after an answer got lost, and it is not what was to be written. */
function afterDoubt(
  row: Pick<RowVersion, 'kind' | 'key'> & { readonly revision?: string | undefined },
  found: JsonObject,
  outcome: Extract<WriteOutcome, { isDoubtful: boolean }>,
): Error {
  return revisionOf(found) === row.revision ? outcome.error : conflict(row);
}

function rowOf<R extends WritableRow>(written: R, object: JsonObject): R {
  const row: Row | undefined = decodeObject(written.kind, object);
  if (row === undefined || 'unreadable' in row) {
    const problem = row && 'unreadable' in row ? row.unreadable : 'it is none';
    throw new DataError(
      `${written.kind} ${keyText(written.key)} came back unreadable: ${problem}`,
      {
        details: { kind: written.kind, ...written.key },
      },
    );
  }
  // The codec reads a kind as the row of that kind.
  return withObject(row, object) as R;
}

function uidOf(object: JsonObject): unknown {
  return metadataOf(object)['uid'];
}

function revisionOf(object: JsonObject): unknown {
  return metadataOf(object)['resourceVersion'];
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
    ? metadata
    : {};
}
