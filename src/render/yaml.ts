/** Texts that some YAML reader takes for a number, a time, a truth value, a merge key or nothing. */
const AMBIGUOUS = /^(?:[-+.\d=~<].*|y|n|yes|no|on|off|true|false|null|)$/i;
/** Anything but printable ASCII; some of it breaks lines in YAML 1.1 only. */
const UNUSUAL = /[^\u0020-\u007e]/;
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * A document as YAML which readers of YAML 1.1 and of 1.2 understand alike: every text that one of them could take for
 * something else is quoted. Integers of any size are written in full.
 */
export async function toYaml(document: unknown): Promise<string> {
  const { Document, visit } = await import('yaml');
  // Version 1.1 makes the library quote what only old readers misread; the marks below cover what only new ones do.
  const yaml = new Document(document, { version: '1.1', aliasDuplicateObjects: false });
  visit(yaml, {
    Scalar(_key, node) {
      if (
        typeof node.value === 'string' &&
        (AMBIGUOUS.test(node.value) || UNUSUAL.test(node.value))
      ) {
        node.type = 'QUOTE_DOUBLE';
      }
    },
  });
  // Unusual characters stand inside double quotes only, where an escape means the same.
  return yaml.toString({ lineWidth: 0 }).replace(ESCAPED, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
