import { DataError } from '../../errors/data-error.ts';
import type { JsonObject, ResourceKey } from '../../ipam/model/resource.ts';
import { objectKey } from '../codec/object-form.ts';
import {
  OBJECT_TYPES,
  type ObjectKind,
  type ObjectListing,
  type ObjectOptions,
  type ObjectStore,
} from '../object-store.ts';
import type { KindLister } from './kind-lister.ts';
import { listObjects } from './object-list.ts';
import { NodeObjects } from './object-node.ts';
import { ObjectWriter } from './object-writer.ts';
import type { CalicoGroup } from './paths.ts';
import type { Transport } from './transport.ts';

/** What whole objects are read and written through. */
export interface KubernetesObjectParts {
  readonly transport: Transport;
  readonly group: CalicoGroup;
  readonly lister: KindLister;
  /** The signal of a call together with that of the connection. @throws InternalError once the datastore is closed. */
  readonly signalOf: (options: ObjectOptions) => AbortSignal | undefined;
}

/** Whole objects of one API server, in either group. */
export class KubernetesObjects implements ObjectStore {
  readonly #parts: KubernetesObjectParts;
  readonly #writer: ObjectWriter;
  readonly #nodes: NodeObjects;

  constructor(parts: KubernetesObjectParts) {
    this.#parts = parts;
    this.#writer = new ObjectWriter(parts.transport, parts.group);
    this.#nodes = new NodeObjects(parts.transport);
  }

  async list(kind: ObjectKind, options: ObjectOptions = {}): Promise<ObjectListing> {
    const { lister, group } = this.#parts;
    return listObjects({ lister, group, kind, signal: this.#parts.signalOf(options) });
  }

  async get(
    kind: ObjectKind,
    key: ResourceKey,
    options: ObjectOptions = {},
  ): Promise<JsonObject | undefined> {
    const signal = this.#parts.signalOf(options);
    if (kind === 'Node') return this.#nodes.get(key.name, signal);
    return (await this.#writer.find(kind, key, signal))?.shown;
  }

  async create(
    kind: ObjectKind,
    object: JsonObject,
    options: ObjectOptions = {},
  ): Promise<JsonObject> {
    const signal = this.#parts.signalOf(options);
    assertNamed(kind, object);
    if (kind === 'Node') return this.#nodes.create(object, signal);
    return this.#writer.create({ kind, object, signal });
  }

  async update(
    kind: ObjectKind,
    object: JsonObject,
    options: ObjectOptions = {},
  ): Promise<JsonObject> {
    const signal = this.#parts.signalOf(options);
    assertNamed(kind, object);
    if (kind === 'Node') return this.#nodes.update(object, signal);
    return this.#writer.update({ kind, object, signal });
  }

  async remove(kind: ObjectKind, object: JsonObject, options: ObjectOptions = {}): Promise<void> {
    const signal = this.#parts.signalOf(options);
    assertNamed(kind, object);
    if (kind === 'Node') this.#nodes.remove();
    await this.#writer.remove({ kind, object, signal });
  }
}

function assertNamed(kind: ObjectKind, object: JsonObject): void {
  const { name, namespace } = objectKey(kind, object);
  const lacksNamespace = OBJECT_TYPES[kind].isNamespaced && namespace === undefined;
  if (name !== '' && !lacksNamespace) return;
  const missing = name === '' ? 'name' : 'namespace';
  throw new DataError(`${kind} ${name} without ${missing} cannot be written`);
}
