import { DataError } from '../../errors/data-error.ts';
import type { MetricFamily, Reclamations } from '../../ipam/collector/collector-metrics.ts';
import {
  NO_OBSERVATIONS,
  type Observations,
  type SeenEmpty,
  type SeenLeak,
  seenEmptyIdentity,
  seenLeakIdentity,
} from '../../ipam/collector/observations.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import { parseJson } from '../../support/json.ts';
import { formatTime, parseTime } from '../../support/time.ts';

/** What a collector remembers from one look to the next, and from run to run by a state file. */
export interface CollectorMemory {
  /** Cluster to which it belongs; undefined before the first look. */
  readonly clusterGUID: string | undefined;
  readonly observations: Observations;
  readonly reclamations: Reclamations;
}

/** The memory of a collector that has not looked yet. */
export const EMPTY_MEMORY: CollectorMemory = {
  clusterGUID: undefined,
  observations: NO_OBSERVATIONS,
  reclamations: new Map(),
};

/** Metrics of one look; none of a locked cluster. */
export type CollectorMetrics = readonly MetricFamily[];

const KIND = 'IPAMCollectorState';

/** The memory as the state file holds it. */
export function memoryDocument({
  clusterGUID,
  observations,
  reclamations,
}: CollectorMemory): JsonObject {
  const withTime = <T extends { readonly since: number }>(seen: T) => ({
    ...seen,
    since: formatTime(seen.since),
  });
  return {
    kind: KIND,
    schemaVersion: 1,
    clusterGUID: clusterGUID ?? '',
    leaks: [...observations.leaks.values()].map(withTime) as unknown as JsonValue,
    emptyBlocks: [...observations.emptyBlocks.values()].map(withTime) as unknown as JsonValue,
    reclamations: [...reclamations.values()],
  };
}

/**
 * Reads a state file.
 * @param name File, for the message.
 * @throws {@link DataError} when it is none, or of a newer format.
 */
export function readMemory(text: string, name: string): CollectorMemory {
  const document = parsed(text, name);
  if (document['kind'] !== KIND)
    throw new DataError(`${name} is no state file of ipam gc`, { details: { path: name } });
  if (document['schemaVersion'] !== 1)
    throw new DataError(`${name} was written by a newer ipamctl`, { details: { path: name } });
  try {
    const leaks = listOf(document, 'leaks').map(leakFrom);
    const emptyBlocks = listOf(document, 'emptyBlocks').map(emptyFrom);
    const reclaimed = listOf(document, 'reclamations').map(reclaimedFrom);
    return {
      clusterGUID: textOf(document, 'clusterGUID'),
      observations: {
        leaks: new Map(leaks.map((seen) => [seenLeakIdentity(seen), seen])),
        emptyBlocks: new Map(emptyBlocks.map((seen) => [seenEmptyIdentity(seen), seen])),
      },
      reclamations: new Map(reclaimed.map((one) => [`${one.pool} ${one.node}`, one])),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataError(`${name} cannot be read: ${reason}`, {
      hint: 'remove the file to begin anew',
      details: { path: name },
      cause: error,
    });
  }
}

function parsed(text: string, name: string): JsonObject {
  try {
    return objectOf(parseJson(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DataError(`${name} cannot be read: ${reason}`, {
      details: { path: name },
      cause: error,
    });
  }
}

function leakFrom(value: JsonObject): SeenLeak {
  const number = value['sequenceNumber'];
  if (typeof number !== 'bigint' && typeof number !== 'number')
    throw new SyntaxError('a sequenceNumber is no number');
  return {
    address: textOf(value, 'address'),
    block: textOf(value, 'block'),
    handle: textOf(value, 'handle'),
    sequenceNumber: BigInt(number),
    since: timeOf(value),
  };
}

function emptyFrom(value: JsonObject): SeenEmpty {
  return {
    block: textOf(value, 'block'),
    node: textOf(value, 'node'),
    revision: textOf(value, 'revision'),
    since: timeOf(value),
  };
}

function reclaimedFrom(value: JsonObject): { pool: string; node: string; count: number } {
  const { count } = value;
  if (typeof count !== 'number') throw new SyntaxError('a count is no number');
  return { pool: textOf(value, 'pool'), node: textOf(value, 'node'), count };
}

function listOf(document: JsonObject, name: string): readonly JsonObject[] {
  const list = document[name];
  if (!Array.isArray(list)) throw new SyntaxError(`${name} is no list`);
  return list.map(objectOf);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError('an object was expected');
}

function textOf(value: JsonObject, name: string): string {
  const text = value[name];
  if (typeof text !== 'string') throw new SyntaxError(`${name} is no text`);
  return text;
}

function timeOf(value: JsonObject): number {
  const time = parseTime(textOf(value, 'since'));
  if (time === undefined) throw new SyntaxError('since is no time');
  return time;
}
