import type { JsonObject, JsonValue } from './json.ts';

/** Texts that no YAML reader, old or new, takes for anything but a text, and that need no quotes. */
const PLAIN = /^(?:[A-Za-z_](?:[\w./@-]|:(?=\w))*|\d+\.\d+\.\d+\.\d+(?:\/\d+)?)$/;
const WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** What JSON writes as it is and YAML does not allow, or breaks lines at. */
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A value as YAML in block layout, the way kubectl lays objects out, with a final newline. Each line but the first begins
 * with `indent` blanks; a list stands at the indentation of its name.
 */
export function yamlText(value: JsonValue, indent: number): string {
  return `${block(value, indent)}\n`;
}

function block(value: JsonValue, indent: number): string {
  const newline = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `- ${block(item, indent + 2)}`).join(newline);
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const members = Object.entries(value).map(([name, item]) => member(name, item, indent));
    return members.join(newline);
  }
  return scalar(value);
}

function member(name: string, value: JsonValue, indent: number): string {
  const isList = Array.isArray(value) && value.length > 0;
  const isMap = isObject(value) && Object.keys(value).length > 0;
  if (!isList && !isMap) return `${text(name)}: ${scalar(value)}`;
  const inner = isList ? indent : indent + 2;
  return `${text(name)}:\n${' '.repeat(inner)}${block(value, inner)}`;
}

function scalar(value: JsonValue): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return '[]';
  return isObject(value) ? '{}' : String(value);
}

/** In double quotes, JSON is YAML. */
function text(value: string): string {
  if (PLAIN.test(value) && !WORDS.test(value)) return value;
  return JSON.stringify(value).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
