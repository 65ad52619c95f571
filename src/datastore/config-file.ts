import { readFile } from 'node:fs/promises';
import { ConfigError } from '../errors/config-error.ts';
import {
  CONFIG_FIELDS,
  type ConfigFieldName,
  type ConfigValue,
  type ConfigValues,
  isConfigField,
  wrongType,
} from './config-fields.ts';
import type { Sourced } from './connection.ts';
import { isAbsent, readProblem } from '../support/file-problem.ts';

/** Where calicoctl keeps its configuration. */
export const DEFAULT_CONFIG_FILE = '/etc/calico/calicoctl.cfg';

const API_VERSION = 'projectcalico.org/v3';
const KIND = 'CalicoAPIConfig';

/** Where a value stands in a configuration file. */
type LineOf = (path: readonly string[]) => string;

/**
 * Settings of a calicoctl configuration file, YAML or JSON, read strictly: an unknown or repeated field is an error.
 *
 * @param mayBeAbsent Whether a missing file means no settings, as for the default one.
 * @throws {@link ConfigError} naming file, line and field.
 */
export async function fileValues(path: string, mayBeAbsent: boolean): Promise<ConfigValues> {
  const text = await readConfig(path, mayBeAbsent);
  if (text === undefined) return new Map();
  const { content, lineOf } = await parseStrictly(text, path);
  assertHead(content, lineOf);
  const spec = content.spec ?? {};
  if (!isMapping(spec)) throw new ConfigError(`${lineOf(['spec'])}: spec is no mapping`);
  const values = new Map<ConfigFieldName, Sourced<ConfigValue>>();
  for (const [name, value] of Object.entries(spec)) {
    const place = lineOf(['spec', name]);
    if (!isConfigField(name)) throw unknownField(`spec.${name}`, place);
    const origin = `${place} (spec.${name})`;
    if (value !== null && value !== '')
      values.set(name, { value: typed(name, { value, origin }), origin });
  }
  return values;
}

async function readConfig(path: string, mayBeAbsent: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (isAbsent(cause) && mayBeAbsent) return undefined;
    const { predicate, hint } = readProblem(path, cause);
    const origin = mayBeAbsent ? '' : ' (--config)';
    throw new ConfigError(`configuration file ${path}${origin} ${predicate}`, {
      hint: mayBeAbsent ? 'name another file with --config' : hint,
      details: { origin: path },
      cause,
    });
  }
}

async function parseStrictly(
  text: string,
  path: string,
): Promise<{ content: Record<string, unknown>; lineOf: LineOf }> {
  const { LineCounter, parseDocument, isNode, isMap, isScalar } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const [error] = document.errors;
  if (error) {
    throw new ConfigError(`${path}:${lines.linePos(error.pos[0]).line}: ${error.message}`, {
      details: { origin: path },
    });
  }
  const content = contentOf(() => document.toJS({ maxAliasCount: 100 }) as unknown, path);
  if (!isMapping(content)) throw new ConfigError(`configuration file ${path} is no ${KIND}`);
  const lineOf: LineOf = (names) => {
    const parent = document.getIn(names.slice(0, -1), true);
    const map = names.length === 1 ? document.contents : parent;
    const pair = isMap(map)
      ? map.items.find(({ key }) => isScalar(key) && String(key.value) === names.at(-1))
      : undefined;
    const offset = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
    return offset === undefined ? path : `${path}:${lines.linePos(offset).line}`;
  };
  return { content, lineOf };
}

/** The only thing that can go wrong here are aliases without anchor, or too many of them. */
function contentOf(read: () => unknown, path: string): unknown {
  try {
    return read();
  } catch (cause) {
    throw new ConfigError(`the aliases of configuration file ${path} cannot be followed`, {
      details: { origin: path },
      cause,
    });
  }
}

function assertHead(content: Record<string, unknown>, lineOf: LineOf): void {
  for (const name of Object.keys(content)) {
    if (!['apiVersion', 'kind', 'metadata', 'spec'].includes(name))
      throw unknownField(name, lineOf([name]));
  }
  for (const [name, wanted] of Object.entries({ apiVersion: API_VERSION, kind: KIND })) {
    const found = content[name];
    if (found === wanted) continue;
    const text = found === undefined ? 'is missing' : `is ${JSON.stringify(found)}`;
    throw new ConfigError(`${lineOf([name])}: ${name} ${text}, and it must be ${wanted}`);
  }
}

function typed(name: ConfigFieldName, { value, origin }: Sourced<unknown>): ConfigValue {
  const { type } = CONFIG_FIELDS[name];
  const isRight =
    type === 'text'
      ? typeof value === 'string'
      : type === 'boolean'
        ? typeof value === 'boolean'
        : typeof value === 'number' && (type === 'number' || Number.isSafeInteger(value));
  if (!isRight) throw wrongType(name, { value, origin });
  return value as ConfigValue;
}

function unknownField(name: string, place: string): ConfigError {
  return new ConfigError(`${place}: there is no setting ${name}`, {
    hint: 'the settings are those of a calicoctl configuration file',
    details: { setting: name, origin: place },
  });
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
