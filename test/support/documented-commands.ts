/** Command lines in documentation: finding them, and holding them against the commands there are. */
import type {
  CommandShape,
  CommandTree,
  FlagShape,
  Value,
} from '../../src/cli/completion/command-tree.ts';
import { withRedactValue } from '../../src/cli/snapshot-flags.ts';
import { sourceFiles } from './source-files.ts';

/** A block of console input in a page. */
export interface ConsoleBlock {
  readonly place: string;
  /** What stands behind the language, such as `fixture=example`. */
  readonly marks: ReadonlyMap<string, string>;
  /** Commands, without the prompt. */
  readonly lines: readonly string[];
}

/** A command line and where it stands. */
export interface DocumentedLine {
  readonly place: string;
  readonly line: string;
}

/** Pages for people, written by hand and generated. */
export function pages(): { readonly path: string; readonly text: string }[] {
  return [
    ...sourceFiles('docs', /\.md$/),
    ...sourceFiles('.', /^(?:README|CONTRIBUTING)\.md$/).filter(({ path }) => !path.includes('/')),
  ];
}

/** Blocks of a page that are marked as console or sh. */
export function consoleBlocks({ path, text }: { path: string; text: string }): ConsoleBlock[] {
  const fence = /^( *)```(?:console|sh)\b([^\n]*)\n([\s\S]*?)^\1```$/gm;
  return [...text.matchAll(fence)].map((match) => {
    const [, , info = '', body = ''] = match;
    const row = text.slice(0, match.index).split('\n').length;
    const marks = info.trim().split(' ').filter(Boolean);
    return {
      place: `${path}:${row}`,
      marks: new Map(marks.map((mark) => mark.split('=') as [string, string])),
      lines: body
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .map((line) => line.trim().replace(/^\$ /, ''))
        .filter((line) => line !== ''),
    };
  });
}

/** Every use of the program in a page: in blocks, and in running text between backticks. */
export function documentedLines(page: { path: string; text: string }): DocumentedLine[] {
  const prose = page.text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({
    place: page.path,
    line: code.replaceAll(/\s+/g, ' '),
  }));
  const blocks = consoleBlocks(page).flatMap(({ place, lines }) =>
    lines.map((line) => ({ place, line })),
  );
  return [...inline, ...blocks].filter(({ line }) => programCalls(line).length > 0);
}

/** Words after the program's name, for each time that a line of shell calls it. */
export function programCalls(line: string): readonly (readonly string[])[] {
  return segments(line).flatMap((words) => {
    const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    const [first, second] = words.slice(start);
    if (first === 'ipamctl' || first === 'kubectl-ipamctl') return [words.slice(start + 1)];
    const isWrapped = (first === 'npx' || first === 'kubectl') && second === 'ipamctl';
    return isWrapped ? [words.slice(start + 2)] : [];
  });
}

/** What is wrong with a call; undefined when the program would take it. */
export function problemOf(call: readonly string[], tree: CommandTree): string | undefined {
  const words = withRedactValue(call);
  const path = pathOf(words, tree);
  const rest = words.slice(path.length);
  const isTopic = tree.topics.some((topic) => topic.words.join(' ') === path.join(' '));
  if (isTopic) {
    const other = rest.find((word) => !['--help', '--version', '...', '…'].includes(word));
    return other === undefined ? undefined : `there is no ${[...path, other].join(' ')}`;
  }
  const command = tree.commands.find((candidate) => candidate.words.join(' ') === path.join(' '));
  return command && problemIn(rest, command);
}

/** The longest beginning that leads to a topic or a command. */
function pathOf(words: readonly string[], { topics, commands }: CommandTree): readonly string[] {
  const known = new Set([...topics, ...commands].map((shape) => shape.words.join(' ')));
  let length = 0;
  while (length < words.length && known.has(words.slice(0, length + 1).join(' '))) length++;
  return words.slice(0, length);
}

function problemIn(words: readonly string[], command: CommandShape): string | undefined {
  let args = 0;
  for (let i = 0; i < words.length; i++) {
    const [spelling = '', joined] = (words[i] ?? '').split(/=(.*)/s);
    if (['--help', '...', '…'].includes(spelling)) continue;
    if (!spelling.startsWith('-') || spelling === '-') args++;
    else {
      const flag = flagOf(command, spelling);
      if (flag === undefined) return `${command.words.join(' ')} has no ${spelling}`;
      const problem = flag.value && problemInValue(flag.value, joined ?? words[++i]);
      if (problem !== undefined) return `${spelling} ${problem}`;
    }
  }
  return args > command.args.length
    ? `${command.words.join(' ')} takes ${command.args.length} arguments, not ${args}`
    : undefined;
}

function flagOf({ flags }: CommandShape, spelling: string): FlagShape | undefined {
  return flags.find(({ name, char }) => spelling === `--${name}` || spelling === `-${char}`);
}

/** A word in capitals stands for a value. */
function problemInValue(value: Value, text: string | undefined): string | undefined {
  if (text === undefined) return 'lacks its value';
  if (value.kind !== 'choice' || /^[A-Z|]+$/.test(text)) return undefined;
  const wrong = (value.isList ? text.split(',') : [text]).find(
    (one) => !value.choices.includes(one),
  );
  return wrong === undefined ? undefined : `does not take ${wrong}`;
}

/** The commands of a line of shell, each as words without quotes, redirections and comments. */
function segments(line: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const [token] of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'|&;<>()]|&(?!&))+|&&|[|;<>()]+/g)) {
    if (/^(?:&&|[|;()]+|<\()$/.test(token)) found.push([]);
    else found.at(-1)?.push(token.replaceAll(/["']/g, ''));
  }
  return found.map((words) => {
    const end = words.findIndex((word) => word.startsWith('#') || /^[<>]+$/.test(word));
    return end < 0 ? words : words.slice(0, end);
  });
}
