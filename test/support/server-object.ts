import type { JsonObject, JsonValue } from '../../src/support/json.ts';

/** Keeps a terminating object there once it was deleted. */
export const HOLD_FINALIZER = 'ipamctl.projectcalico.org/hold';

/** What a server sets itself, or takes for a condition of the write. */
const SERVER_OWNED = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'selfLink',
  'managedFields',
];
const DELETION = ['deletionTimestamp', 'deletionGracePeriodSeconds'];
/** Fields of a Service that depend on the server's own ranges and families. */
const SERVICE_PLACES = [
  'clusterIP',
  'clusterIPs',
  'ipFamilies',
  'ipFamilyPolicy',
  'healthCheckNodePort',
];

/** An object of a dump as a server takes it. */
export interface ServerObject {
  /** To be created; without status. */
  readonly body: JsonObject;
  /** To be written through `/status`, when there is one. */
  readonly status: JsonObject | undefined;
  /** To be deleted after that; a finalizer keeps it. */
  readonly terminating: boolean;
}

/** Turns an object of a dump into what a server accepts: its own fields removed, required ones filled in. */
export function serverObject(object: JsonObject): ServerObject {
  const { status, ...rest } = object;
  const metadata = asObject(rest['metadata']);
  const terminating =
    metadata['deletionTimestamp'] !== undefined && metadata['deletionTimestamp'] !== null;
  const kept = without(metadata, [...SERVER_OWNED, ...DELETION]);
  const finalizers = terminating ? { finalizers: [HOLD_FINALIZER] } : {};
  const body: JsonObject = { ...rest, metadata: { ...kept, ...finalizers } };
  const spec = completeSpec(rest['kind'], rest['spec']);
  if (spec !== undefined) body['spec'] = spec;
  return { body, status: isFilled(status) ? status : undefined, terminating };
}

function completeSpec(
  kind: JsonValue | undefined,
  spec: JsonValue | undefined,
): JsonValue | undefined {
  if (kind === 'Pod') return completePod(asObject(spec));
  if (kind === 'Service') return completeService(asObject(spec));
  return spec;
}

/** Dumps cut down to what matters here have no containers. */
function completePod(spec: JsonObject): JsonObject {
  const listed = Array.isArray(spec['containers']) ? spec['containers'] : [];
  const containers = (listed.length === 0 ? [{}] : listed).map((container, position) => ({
    name: `c${position}`,
    image: 'none',
    ...asObject(container),
  }));
  return { ...spec, containers };
}

function completeService(spec: JsonObject): JsonObject {
  const ports =
    Array.isArray(spec['ports']) && spec['ports'].length > 0 ? spec['ports'] : [{ port: 80 }];
  const rest = without(spec, SERVICE_PLACES);
  return { ...rest, ports: ports.map((port) => without(asObject(port), ['nodePort'])) };
}

function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function isFilled(value: JsonValue | undefined): value is JsonObject {
  return Object.keys(asObject(value)).length > 0;
}
