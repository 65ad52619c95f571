import type { Command, Config } from '@oclif/core';

/** What may stand after a flag or as an argument, as far as a shell can complete it. */
export type Value =
  | {
      readonly kind: 'choice';
      readonly choices: readonly string[];
      /** Whether several may be given, joined by commas. */
      readonly isList: boolean;
    }
  | { readonly kind: 'file' }
  | { readonly kind: 'free' };

/** A flag as a shell sees it. */
export interface FlagShape {
  /** Without dashes. */
  readonly name: string;
  /** One letter, without dash. */
  readonly char?: string | undefined;
  readonly summary: string;
  /** What the help calls the value, such as FILE. */
  readonly placeholder: string;
  /** Undefined for a flag that is only there or not. */
  readonly value?: Value | undefined;
  readonly isRepeatable: boolean;
}

/** An argument that is no flag. */
export interface ArgumentShape {
  readonly name: string;
  readonly value: Value;
}

/** A command, or a short form of one. */
export interface CommandShape {
  /** Such as `['ipam', 'check']`. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly flags: readonly FlagShape[];
  readonly args: readonly ArgumentShape[];
}

/** Words that only lead to commands; the program itself is the one without words. */
export interface TopicShape {
  readonly words: readonly string[];
  /** What may follow, in alphabetical order. */
  readonly children: readonly { readonly word: string; readonly summary: string }[];
}

/** Everything that can be typed after the program's name. */
export interface CommandTree {
  readonly commands: readonly CommandShape[];
  readonly topics: readonly TopicShape[];
}

/** Values that are known to the program and not to its declared flags. */
export interface KnownCodes {
  /** Codes of all check rules. */
  readonly rules: readonly string[];
  /** Codes that `ipam repair` remedies. */
  readonly repairable: readonly string[];
}

/** Flags that oclif answers itself. */
export const HELP: FlagShape = {
  name: 'help',
  summary: 'Show help.',
  placeholder: '',
  isRepeatable: false,
};

/** Known to the program itself and to no command. */
export const VERSION: FlagShape = { ...HELP, name: 'version', summary: 'Show the version.' };

/** The commands of the program and their short forms, as the manifest declares them. */
export function commandTree(config: Config, codes: KnownCodes): CommandTree {
  const commands = config.commands
    .filter(({ hidden }) => !hidden)
    .map((command) => commandShape(command, codes))
    .sort(byWords);
  const topics = new Map(config.topics.map(({ name, description }) => [name, description ?? '']));
  return { commands, topics: topicShapes(commands, topics) };
}

function commandShape(command: Command.Loadable, codes: KnownCodes): CommandShape {
  const known = command.id === 'ipam:repair' ? codes.repairable : codes.rules;
  return {
    words: command.id.split(':'),
    summary: command.summary ?? '',
    flags: Object.values(command.flags)
      .filter(({ hidden }) => hidden !== true)
      .flatMap((flag) => flagShapes(flag, known)),
    args: Object.values(command.args).map(argumentShape),
  };
}

function flagShapes(flag: Command.Flag.Cached, codes: readonly string[]): FlagShape[] {
  const { name, char, summary = '' } = flag;
  const helpValue = flag.type === 'option' ? flag.helpValue : undefined;
  const placeholder = typeof helpValue === 'string' ? helpValue : name.toUpperCase();
  const common = { name, char, summary, placeholder };
  if (flag.type === 'boolean') {
    const negated = { ...common, name: `no-${name}`, char: undefined, isRepeatable: false };
    return [{ ...common, isRepeatable: false }, ...(flag.allowNo ? [negated] : [])];
  }
  const isList = 'delimiter' in flag;
  const choices = flag.options ?? (placeholder === 'CODE' ? codes : spelledOut(placeholder));
  const value = valueOf(placeholder, choices, isList);
  return [{ ...common, value, isRepeatable: flag.multiple === true }];
}

function argumentShape(argument: Command.Arg.Cached): ArgumentShape {
  const name = argument.name.toUpperCase();
  const isFile = name === 'FILE' || name.endsWith('-FILE');
  return { name, value: valueOf(isFile ? 'FILE' : name, argument.options ?? [], false) };
}

function valueOf(placeholder: string, choices: readonly string[], isList: boolean): Value {
  if (choices.length > 0) return { kind: 'choice', choices, isList };
  return { kind: placeholder === 'FILE' || placeholder === 'PATH' ? 'file' : 'free' };
}

/** `true|false` is a choice of two words; `NAME|CIDR` are two kinds of what the user knows. */
function spelledOut(placeholder: string): readonly string[] {
  const words = placeholder.split('|');
  return words.length > 1 && words.every((word) => /^[A-Za-z]*[a-z][A-Za-z]*$/.test(word))
    ? words
    : [];
}

function topicShapes(
  commands: readonly CommandShape[],
  summaries: ReadonlyMap<string, string>,
): TopicShape[] {
  const children = new Map<string, Map<string, string>>();
  for (const { words, summary } of commands) {
    words.forEach((word, position) => {
      const topic = words.slice(0, position).join(':');
      const isCommand = position === words.length - 1;
      const text = isCommand
        ? summary
        : (summaries.get(words.slice(0, position + 1).join(':')) ?? '');
      children.set(topic, (children.get(topic) ?? new Map<string, string>()).set(word, text));
    });
  }
  return [...children]
    .map(([topic, below]) => ({
      words: topic === '' ? [] : topic.split(':'),
      children: [...below]
        .map(([word, summary]) => ({ word, summary }))
        .sort((a, b) => compare(a.word, b.word)),
    }))
    .sort(byWords);
}

function byWords(a: { words: readonly string[] }, b: { words: readonly string[] }): number {
  return compare(a.words.join(' '), b.words.join(' '));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
