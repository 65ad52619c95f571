/** What the program is called in the texts of documents and rules, and by whoever has it in the path. */
export const PROGRAM = 'ipamctl';

/** The program in a command that somebody is to run: what follows is a word that it knows. */
const COMMAND =
  /(?<![\w/.-]|kubectl )ipamctl (?=(?:ipam|datastore|completion|check|show|release|help|version)\b|--)/g;

/** Parts of documents that are sentences for readers. */
const SENTENCES = new Set('hint hints message notes reason remedy says waiting why'.split(' '));

/** A text with its commands as the user types them: as a plugin of kubectl, the program has no other name. */
export function calledAs(text: string, program: string): string {
  return program === PROGRAM ? text : text.replace(COMMAND, `${program} `);
}

/** A document, for readers, with the commands in its sentences as the user types them. What it says of data stays. */
export function documentCalledAs<D>(document: D, program: string): D {
  return program === PROGRAM ? document : (withCommands(document, program) as D);
}

function withCommands(value: unknown, program: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withCommands(item, program));
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => [
    key,
    SENTENCES.has(key) ? sentencesCalledAs(part, program) : withCommands(part, program),
  ]);
  return Object.fromEntries(entries);
}

function sentencesCalledAs(part: unknown, program: string): unknown {
  if (typeof part === 'string') return calledAs(part, program);
  if (!Array.isArray(part)) return withCommands(part, program);
  return part.map((item) => sentencesCalledAs(item, program));
}

/** What is computed on the way, such as a list that comes in parts, is left as it is. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
