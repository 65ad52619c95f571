import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseJson, type JsonObject, type JsonValue } from '../../src/support/json.ts';

/** How the rows of a trace are stored. */
export type TraceForm = 'crd' | 'v3' | 'etcd';

/** A row that a step left; null for one that it removed. */
export interface RowChange {
  readonly at: string;
  readonly value: JsonValue;
}

/** One operation with the answer and the rows that were recorded. */
export interface TraceStep {
  readonly op: string;
  readonly args: JsonObject;
  /** Undefined for success without a value. */
  readonly result: JsonValue | undefined;
  readonly changes: readonly RowChange[];
}

/** A recorded scenario. */
export interface Trace {
  /** Name of its file, without the ending. */
  readonly name: string;
  readonly form: TraceForm;
  readonly steps: readonly TraceStep[];
}

/** Reads every trace of a folder, in order of their names. */
export function readTraces(folder: string): Trace[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => readTrace(join(folder, file)));
}

function readTrace(path: string): Trace {
  const trace = parseJson(readFileSync(path, 'utf8')) as unknown as {
    readonly datastore: string;
    readonly steps: readonly (Pick<TraceStep, 'op'> & Partial<TraceStep>)[];
  };
  const steps = trace.steps.map(({ op, args = {}, result, changes = [] }) => ({
    op,
    args,
    result,
    changes,
  }));
  return { name: basename(path, '.json'), form: formOf(trace.datastore), steps };
}

function formOf(datastore: string): TraceForm {
  if (datastore === 'etcd') return 'etcd';
  return datastore.includes('crd.projectcalico.org') ? 'crd' : 'v3';
}
