import type { JsonObject, JsonValue, ResourceKind } from '../../ipam/model/resource.ts';
import type { Row } from '../../ipam/model/row.ts';
import { decodeObject } from '../codec/decode.ts';
import { ItemCutter } from './item-cutter.ts';
import { type ListMetadata, ProtobufList } from './protobuf-list.ts';
import type { ProtobufReader } from './protobuf-reader.ts';
import { nodeRowFromProtobuf, podRowFromProtobuf } from './protobuf-rows.ts';

/** Takes a list apart that comes in pieces, and makes something of its items: rows unless said otherwise. */
export interface ListParser<T = Row> {
  /**
   * Takes a part of the body; the answer decodes the items that became complete. Call it before what comes next.
   * @throws SyntaxError or RangeError, then or when called, for a body that is no list.
   */
  push(pieces: readonly Buffer[]): () => T[];
  /** Metadata of the list, as soon as it is known. */
  readonly metadata: ListMetadata | undefined;
  /** The metadata at the end of the body. @throws SyntaxError or RangeError when the body was cut. */
  end(): ListMetadata;
}

/** Rows for which the whole object comes along. */
export type Keep = ((row: Row) => boolean) | undefined;

/** Kinds whose rows can be read from protobuf. */
export type ProtobufKind = 'Pod' | 'Node';

/** Media type of the protobuf encoding. */
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

/** The parser for an answer; undefined for a media type that no list has. */
export function parserFor(
  mediaType: string,
  kind: ResourceKind,
  keep: Keep,
): ListParser | undefined {
  if (mediaType.startsWith(PROTOBUF_TYPE)) {
    return kind === 'Pod' || kind === 'Node' ? new ProtobufListParser(kind, keep) : undefined;
  }
  return jsonParserFor(mediaType, (object) => rowsOf(object, kind, keep));
}

/** The parser for an answer in JSON, with what is made of an item; undefined for any other media type. */
export function jsonParserFor<T>(
  mediaType: string,
  decode: (item: JsonObject) => readonly T[],
): ListParser<T> | undefined {
  return mediaType.startsWith('application/json') ? new JsonListParser(decode) : undefined;
}

class ProtobufListParser implements ListParser {
  readonly #list = new ProtobufList();
  readonly #rowOf: (item: ProtobufReader, keep: Keep) => Row;
  readonly #keep: Keep;

  constructor(kind: ProtobufKind, keep: Keep) {
    this.#rowOf = kind === 'Pod' ? podRowFromProtobuf : nodeRowFromProtobuf;
    this.#keep = keep;
  }

  push(pieces: readonly Buffer[]): () => Row[] {
    const items = this.#list.push(pieces);
    return () => items.map((item) => this.#rowOf(item, this.#keep));
  }

  get metadata(): ListMetadata | undefined {
    return this.#list.metadata;
  }

  end(): ListMetadata {
    return this.#list.end();
  }
}

class JsonListParser<T> implements ListParser<T> {
  readonly #cutter = new ItemCutter();
  readonly #decode: (item: JsonObject) => readonly T[];
  #metadata: ListMetadata | undefined;
  #sawHead = false;

  constructor(decode: (item: JsonObject) => readonly T[]) {
    this.#decode = decode;
  }

  push(pieces: readonly Buffer[]): () => T[] {
    const items = this.#cutter.push(pieces);
    if (!this.#sawHead) {
      const head = this.#cutter.head;
      this.#sawHead = head !== undefined;
      if (head?.['metadata'] !== undefined) this.#metadata = metadataOf(head);
    }
    return () => items().flatMap((object) => this.#decode(object));
  }

  get metadata(): ListMetadata | undefined {
    return this.#metadata;
  }

  end(): ListMetadata {
    return (this.#metadata = metadataOf(this.#cutter.end()));
  }
}

function rowsOf(object: JsonObject, kind: ResourceKind, keep: Keep): Row[] {
  const row = decodeObject(kind, object);
  if (row === undefined) return [];
  return keep?.(row) === true ? [withObject(row, object)] : [row];
}

/** The row with its whole object. Items of core lists do not say what they are, so that is added. */
export function withObject(row: Row, object: JsonObject): Row {
  const isTyped = object['apiVersion'] !== undefined;
  return { ...row, object: isTyped ? object : { apiVersion: 'v1', kind: row.kind, ...object } };
}

function metadataOf(list: JsonObject): ListMetadata {
  const metadata = list['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw new SyntaxError('the list has no metadata');
  }
  return {
    resourceVersion: textOf(metadata['resourceVersion']),
    continue: textOf(metadata['continue']),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
