/* eslint-disable-next-line no-control-regex -- finding control characters is the purpose */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text that is safe on a terminal: control characters, escape sequences, invisible and direction-changing characters and
 * lone surrogates are spelled as escapes. Names in a datastore are written by others and must not move the cursor.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, spell);
}

function spell(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
