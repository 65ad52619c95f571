import { DataError } from '../../errors/data-error.ts';
import type { JsonObject, JsonValue } from '../../ipam/model/resource.ts';
import type { PlanAction, PlanSubject } from '../../ipam/plan.ts';
import { parseJson, stringifyJson } from '../../support/json.ts';
import { readStoredRow } from './stored-row.ts';
import type { ObjectChange, RecordedWrite, UndoHeader, UndoHistory } from './undo-log.ts';

/** Newest form of undo files that this version reads. */
const SCHEMA_VERSION = 1;

/**
 * Reads the text of an undo file. A last line that was cut is no line.
 * @param name What to call the file in errors.
 * @throws {@link DataError} when it is no undo file, is damaged, or is of a newer form.
 */
export function readUndo(text: string, name: string): UndoHistory {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').filter((line) => line.trim() !== '');
  const [first, ...rest] = lines.map((line, at) => parseLine(line, `${name}, line ${at + 1}`));
  const header = readHeader(first, name);
  const writes = new Map<number, RecordedWrite>();
  for (const [at, line] of rest.entries()) takeLine(writes, line, `${name}, line ${at + 2}`);
  return { header, writes: [...writes.values()].sort((a, b) => a.n - b.n) };
}

function parseLine(line: string, where: string): JsonObject {
  try {
    const value = parseJson(line);
    if (isObject(value)) return value;
  } catch (error) {
    throw new DataError(`${where}: no JSON`, { cause: error });
  }
  throw new DataError(`${where}: no JSON object`);
}

function readHeader(line: JsonObject | undefined, name: string): UndoHeader {
  if (line?.['kind'] !== 'IPAMUndo') {
    throw new DataError(`${name} is no undo file`, {
      hint: 'undo files are written by the commands that change something; see their --undo-file',
    });
  }
  const version = line['schemaVersion'];
  if (typeof version !== 'number' || version > SCHEMA_VERSION) {
    throw new DataError(
      `${name} was written by a newer version of ipamctl (schema ${stringifyJson(version)})`,
    );
  }
  return line as unknown as UndoHeader;
}

function takeLine(writes: Map<number, RecordedWrite>, line: JsonObject, where: string): void {
  const { n } = line;
  if (typeof n !== 'number') throw new DataError(`${where}: a line without number`);
  if ('action' in line) {
    const object = readObjectChange(line);
    writes.set(n, {
      n,
      action: line['action'] as PlanAction,
      subject: line['subject'] as unknown as PlanSubject,
      before: object ? undefined : readRow(line['before'], where),
      after: object ? undefined : readRow(line['after'], where),
      ...(object && { object }),
    });
    return;
  }
  const write = writes.get(n);
  if (write === undefined) throw new DataError(`${where}: a result without its write`);
  writes.set(n, { ...write, result: line['result'] === 'applied' ? 'applied' : 'failed' });
}

/** A whole object says its version, which no row does. */
function readObjectChange({ before, after }: JsonObject): ObjectChange | undefined {
  const [was, became] = [before, after].map((value) => (isObject(value) ? value : undefined));
  const { apiVersion, kind } = was ?? became ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  return { kind: kind as ObjectChange['kind'], before: was, after: became };
}

function readRow(stored: JsonValue | undefined, where: string): RecordedWrite['before'] {
  if (stored === null || stored === undefined) return undefined;
  if (!isObject(stored)) throw new DataError(`${where}: a row that is no object`);
  try {
    return readStoredRow(stored);
  } catch (error) {
    throw new DataError(`${where}: a row that cannot be read`, { cause: error });
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
