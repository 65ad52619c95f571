import type { JsonObject } from '../../src/support/json.ts';
import { isObject, memberOf, textOf, without } from './json-values.ts';
import type { Trace, TraceStep } from './trace.ts';

const COPY_ANNOTATION = 'projectcalico.org/metadata';

/**
 * The trace as the newer group would have recorded it. The answers of both groups are the same, and the rows differ in
 * version and kind, the copy of the metadata, the type of an affinity's mark of deletion, and one field of the configuration.
 */
export function inNewerGroup(trace: Trace): Trace {
  return { name: `${trace.name} (v3)`, form: 'v3', steps: trace.steps.map(stepInNewerGroup) };
}

function stepInNewerGroup(step: TraceStep): TraceStep {
  const { object, resource } = step.args;
  return {
    ...step,
    args: {
      ...step.args,
      ...(isObject(object) ? { object: objectInNewerGroup(object) } : {}),
      ...(typeof resource === 'string' ? { resource: pluralInNewerGroup(resource) } : {}),
    },
    changes: step.changes.map(({ at, value }) => ({
      at: pluralInNewerGroup(at),
      value: isObject(value) ? objectInNewerGroup(value) : value,
    })),
  };
}

function pluralInNewerGroup(text: string): string {
  return text.replace(/^ipamconfigs\b/, 'ipamconfigurations');
}

function objectInNewerGroup(object: JsonObject): JsonObject {
  const kind = object['kind'] === 'IPAMConfig' ? 'IPAMConfiguration' : textOf(object['kind']);
  const metadata = withoutCopy(memberOf(object, 'metadata'));
  return {
    ...object,
    apiVersion: 'projectcalico.org/v3',
    kind,
    metadata,
    spec: specInNewerGroup(kind, object),
  };
}

function withoutCopy(metadata: JsonObject): JsonObject {
  const annotations = without(memberOf(metadata, 'annotations'), [COPY_ANNOTATION]);
  return Object.keys(annotations).length === 0
    ? without(metadata, ['annotations'])
    : { ...metadata, annotations };
}

function specInNewerGroup(kind: string, object: JsonObject): JsonObject {
  const spec = memberOf(object, 'spec');
  if (kind === 'BlockAffinity') return { ...spec, deleted: spec['deleted'] === 'true' };
  if (kind === 'IPAMConfiguration') return { maxBlocksPerHost: 0, ...spec };
  return spec;
}
