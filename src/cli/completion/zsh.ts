import {
  type CommandShape,
  type CommandTree,
  type FlagShape,
  HELP,
  type TopicShape,
  type Value,
  VERSION,
} from './command-tree.ts';
import { asLabel, quoted } from './quote.ts';

/** The completion for zsh, to be sourced, or put as `_ipamctl` into a folder of `fpath`. */
export function zshScript({ commands, topics }: CommandTree): string {
  return [
    '#compdef ipamctl kubectl-ipamctl',
    '# Completion of ipamctl, made by "ipamctl completion zsh".',
    '',
    ...topics.flatMap(topicFunction),
    ...commands.flatMap(commandFunction),
    // As a file of fpath this is the body of the function at its first call.
    `if [[ \${funcstack[1]-} == _ipamctl ]]; then`,
    '  _ipamctl "$@"',
    'else',
    '  compdef _ipamctl ipamctl kubectl-ipamctl',
    'fi',
    '',
  ].join('\n');
}

function functionName(words: readonly string[]): string {
  return ['_ipamctl', ...words].join('__');
}

/** Offers the words below a topic and, after one of them, hands over to its function. */
function topicFunction({ words, children }: TopicShape): string[] {
  const flags = words.length === 0 ? [HELP, VERSION] : [HELP];
  return [
    `${functionName(words)}() {`,
    '  local context state state_descr line',
    '  typeset -A opt_args',
    '  local -a below',
    '  below=(',
    ...children.map(({ word, summary }) => `    ${quoted(`${word}:${asLabel(summary)}`)}`),
    '  )',
    '  _arguments -C \\',
    ...flags.map((flag) => `    ${quoted(flagSpec(flag))} \\`),
    "    '1: :->word' '*:: :->rest' && return",
    '  case $state in',
    "    word) _describe -t commands 'ipamctl command' below ;;",
    '    rest)',
    '      case $line[1] in',
    ...children.map(({ word }) => `        ${word}) ${functionName([...words, word])} ;;`),
    '      esac',
    '      ;;',
    '  esac',
    '}',
    '',
  ];
}

function commandFunction({ words, flags, args }: CommandShape): string[] {
  const specs = [
    ...[...flags, HELP].map(flagLine),
    ...args.map(({ name, value }, i) => quoted(`${i + 1}:${name}:${action(value)}`)),
  ];
  return [
    `${functionName(words)}() {`,
    '  _arguments -s -S \\',
    ...specs.map((spec, i) => `    ${spec}${i < specs.length - 1 ? ' \\' : ''}`),
    '}',
    '',
  ];
}

/** Both spellings of a flag exclude each other, unless it may be repeated. */
function flagLine(flag: FlagShape): string {
  const { name, char, value, isRepeatable } = flag;
  if (char === undefined) return quoted(`${isRepeatable ? '*' : ''}${flagSpec(flag)}`);
  const spellings = value === undefined ? `{-${char},--${name}}` : `{-${char}+,--${name}=}`;
  const once = isRepeatable ? quoted('*') : quoted(`(-${char} --${name})`);
  return `${once}${spellings}${quoted(description(flag))}`;
}

function flagSpec(flag: FlagShape): string {
  return `--${flag.name}${flag.value === undefined ? '' : '='}${description(flag)}`;
}

function description({ summary, value, placeholder }: FlagShape): string {
  const label = `[${escaped(asLabel(summary))}]`;
  return value === undefined ? label : `${label}:${escaped(placeholder)}:${action(value)}`;
}

/** What zsh does to complete a value. */
function action(value: Value): string {
  if (value.kind === 'file') return '_files';
  if (value.kind === 'free') return ' ';
  const words = value.choices.join(' ');
  return value.isList ? `_values -s , code ${words}` : `(${words})`;
}

/** Characters that mean something in the specification of a flag. */
function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
}
