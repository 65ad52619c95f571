import { NotFoundError } from '../../errors/not-found-error.ts';
import { UnsupportedError } from '../../errors/unsupported-error.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { withoutManagedFields } from '../codec/encode-metadata.ts';
import { nodeOfKubernetes, withNodeFields } from '../codec/node-annotations.ts';
import { objectKey } from '../codec/object-form.ts';
import { assertRevision, isAnother, isSameRevision } from './object-writer.ts';
import { typedNode } from './object-list.ts';
import { objectKindPath, objectPath } from './paths.ts';
import { readJson } from './read-json.ts';
import { sendWrite, writeRequest } from './send-write.ts';
import type { Transport } from './transport.ts';
import { alreadyExists, conflict, notFound } from '../row-errors.ts';

type Signal = AbortSignal | undefined;

const NODES = objectKindPath('Node', 'projectcalico.org/v3');

/** Calico's nodes, which are annotations of the Kubernetes nodes. */
export class NodeObjects {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(name: string, signal: Signal): Promise<JsonObject | undefined> {
    const node = await this.#read(name, signal);
    return node && nodeOfKubernetes(node);
  }

  /** @throws {@link AlreadyExistsError} or {@link NotFoundError}: nodes are made by Kubernetes. */
  async create(object: JsonObject, signal: Signal): Promise<never> {
    const key = objectKey('Node', object);
    if (await this.#read(key.name, signal)) throw alreadyExists({ kind: 'Node', key });
    throw new NotFoundError(`Kubernetes has no node ${key.name}`, {
      details: { kind: 'Node', ...key },
    });
  }

  /**
   * Sets the annotations of the fields that the object has, through the status of the node as Calico does: that right is
   * the one which Calico's own roles grant.
   *
   * @throws {@link ConflictError} @throws {@link NotFoundError}
   */
  async update(object: JsonObject, signal: Signal): Promise<JsonObject> {
    assertRevision('Node', object);
    const row = { kind: 'Node', key: objectKey('Node', object) } as const;
    const node = await this.#read(row.key.name, signal);
    if (!node || isAnother(object, node)) throw notFound(row);
    if (!isSameRevision(object, node)) throw conflict(row);
    const next = withNodeFields(node, object);
    if (next === node) return nodeOfKubernetes(node);
    const request = writeRequest('PUT', `${objectPath(NODES, row.key)}/status`, {
      body: withoutManagedFields(next),
      signal,
    });
    const outcome = await sendWrite({ transport: this.#transport, request, row });
    if ('object' in outcome) return nodeOfKubernetes(typedNode(outcome.object));
    if (!outcome.isDoubtful) throw outcome.error;
    const found = await this.#read(row.key.name, signal);
    if (!found) throw notFound(row);
    if (withNodeFields(found, object) === found) return nodeOfKubernetes(found);
    throw isSameRevision(object, found) ? outcome.error : conflict(row);
  }

  /** @throws {@link UnsupportedError} */
  remove(): never {
    throw new UnsupportedError('nodes of Kubernetes are not removed by ipamctl');
  }

  async #read(name: string, signal: Signal): Promise<JsonObject | undefined> {
    const node = await readJson(this.#transport, { path: objectPath(NODES, { name }), signal });
    return node && typedNode(node);
  }
}
