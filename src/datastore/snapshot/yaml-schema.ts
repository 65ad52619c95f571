import {
  CORE_SCHEMA,
  defineScalarTag,
  intCoreTag,
  mergeTag,
  NOT_RESOLVED,
  type ScalarTagDefinition,
  type Schema,
} from 'js-yaml';

let schema: Schema | undefined;

/**
 * How snapshots read YAML: the types of YAML 1.2 (so `yes`, `on` and times are text), integers of any size exact, and the
 * merge keys of 1.1, which kubectl accepts in the files that people write. Made on first use, since a snapshot of JSON
 * needs no parser of YAML.
 */
export function snapshotSchema(): Schema {
  return (schema ??= CORE_SCHEMA.withTags(exactInteger(), mergeTag));
}

/** The core integer, but exact: what a number cannot hold becomes a bigint. */
function exactInteger(): ScalarTagDefinition<number | bigint> {
  return defineScalarTag<number | bigint>(intCoreTag.tagName, {
    implicit: true,
    implicitFirstChars: intCoreTag.implicitFirstChars,
    resolve(source, isExplicit, tagName) {
      const rounded = intCoreTag.resolve(source, isExplicit, tagName);
      if (rounded === NOT_RESOLVED) return source.length > 300 ? longInteger(source) : NOT_RESOLVED;
      // Adding 0 makes one zero of two, as integers have it.
      return Number.isSafeInteger(rounded) ? rounded + 0 : exact(source);
    },
    identify: (value) => typeof value === 'bigint' || intCoreTag.identify(value),
  });
}

/** Digits that are more than any number holds, which the core type gives up on. */
function longInteger(source: string): bigint | typeof NOT_RESOLVED {
  return /^[-+]?\d+$/.test(source) ? exact(source) : NOT_RESOLVED;
}

function exact(source: string): bigint {
  const isNegative = source.startsWith('-');
  const digits = isNegative || source.startsWith('+') ? source.slice(1) : source;
  return isNegative ? -BigInt(digits) : BigInt(digits);
}
