import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { type Cidr, parseCidr } from '../../net/cidr.ts';
import { Misreading, wrongValue } from './misreading.ts';

/** Whether the value is an object, and no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const EMPTY: JsonObject = Object.freeze({});

/** The member as an object; absent and null read as an empty one. @throws {@link Misreading} for any other type. */
export function memberObject(holder: JsonObject, name: string): JsonObject {
  const value = holder[name];
  if (isObject(value)) return value;
  if (value === undefined || value === null) return EMPTY;
  throw new Misreading(wrongValue(name, value, 'object'));
}

/** An object with what messages call it: the spec of an object, or a whole etcd value. */
export interface FieldSource {
  readonly value: JsonObject;
  /** Put before a member's name: `spec.`, or nothing. */
  readonly at: string;
}

/** The spec of an object, an empty one when it is absent. @throws {@link Misreading} */
export function specOf(object: JsonObject): FieldSource {
  const value = object['spec'];
  if (isObject(value)) return { value, at: 'spec.' };
  if (value === undefined || value === null) return { value: EMPTY, at: 'spec.' };
  throw new Misreading(wrongValue('spec', value, 'object'));
}

/**
 * Members of one JSON object whose types are not trusted. An absent member, null and, for texts, the empty text read
 * alike: as undefined. Every method throws a {@link Misreading} for a member of another type.
 *
 * @remarks Blocks and handles do without it: they are read by the hundred thousand.
 */
export class Fields {
  readonly #value: JsonObject;
  readonly #path: string;

  /** @param path How messages call the object, such as `spec`; empty for the object itself. */
  constructor(value: JsonObject, path: string) {
    this.#value = value;
    this.#path = path;
  }

  /** The `spec` of an object. */
  static spec(object: JsonObject): Fields {
    return new Fields(memberObject(object, 'spec'), 'spec');
  }

  /** How messages call the member. */
  pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  text(name: string): string | undefined {
    const value = this.#value[name];
    if (typeof value === 'string') return value === '' ? undefined : value;
    this.#refuseUnlessAbsent(name, value, 'text');
    return undefined;
  }

  requiredText(name: string): string {
    const text = this.text(name);
    if (text === undefined) throw new Misreading(`${this.pathOf(name)} is missing`);
    return text;
  }

  boolean(name: string): boolean | undefined {
    const value = this.#value[name];
    if (typeof value === 'boolean') return value;
    this.#refuseUnlessAbsent(name, value, 'boolean');
    return undefined;
  }

  /** Any integer; what is beyond 2^53 is rounded, because no field that is read so has a meaning there. */
  integer(name: string): number | undefined {
    const value = this.#value[name];
    if (typeof value === 'bigint') return Number(value);
    if (typeof value === 'number' && Number.isInteger(value)) return value;
    this.#refuseUnlessAbsent(name, value, 'integer');
    return undefined;
  }

  /** A required prefix, masked. */
  cidr(name: string): Cidr {
    const text = this.requiredText(name);
    const cidr = parseCidr(text);
    if (!cidr) throw new Misreading(wrongValue(this.pathOf(name), text, 'CIDR'));
    return cidr;
  }

  /** The elements of a list; none when it is absent. */
  list(name: string): readonly JsonValue[] {
    const value = this.#value[name];
    if (Array.isArray(value)) return value;
    this.#refuseUnlessAbsent(name, value, 'list');
    return [];
  }

  /** A list of texts; none when it is absent. */
  texts(name: string): readonly string[] {
    const values = this.list(name);
    for (const [i, value] of values.entries()) {
      if (typeof value !== 'string') {
        throw new Misreading(wrongValue(`${this.pathOf(name)}[${i}]`, value, 'text'));
      }
    }
    return values as readonly string[];
  }

  /** A list of objects; none when it is absent. */
  children(name: string): readonly Fields[] {
    return this.list(name).map((value, i) => {
      const path = `${this.pathOf(name)}[${i}]`;
      if (!isObject(value)) throw new Misreading(wrongValue(path, value, 'object'));
      return new Fields(value, path);
    });
  }

  /** An object, or undefined when it is absent. */
  child(name: string): Fields | undefined {
    const value = this.#value[name];
    if (isObject(value)) return new Fields(value, this.pathOf(name));
    this.#refuseUnlessAbsent(name, value, 'object');
    return undefined;
  }

  #refuseUnlessAbsent(name: string, value: JsonValue | undefined, wanted: string): void {
    if (value === undefined || value === null) return;
    throw new Misreading(wrongValue(this.pathOf(name), value, wanted));
  }
}
