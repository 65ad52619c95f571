import { type CommandTree, type FlagShape, HELP, type Value, VERSION } from './command-tree.ts';
import { quoted } from './quote.ts';

/** What follows the tables: it finds the command on the line and completes what comes next. Also for the bash 3.2 of macOS. */
const ENGINE = `
# Puts the words after the program into "words"; bash cuts --flag=value in three.
__ipamctl_split() {
  local i word last
  words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    last=$((\${#words[@]} - 1))
    if ((last >= 0)) && [[ $word == = && \${words[last]} == --* && \${words[last]} != *=* ]]; then
      words[last]+='='
    elif ((last >= 0 && i > 1)) && [[ \${COMP_WORDS[i - 1]} == = && \${words[last]} == --*= ]]; then
      words[last]+=$word
    else
      words+=("$word")
    fi
  done
}

# Puts completions of a text into COMPREPLY. Arguments: kind:choices, text, what stands before it in the same word.
__ipamctl_reply() {
  local kind=\${1%%:*} choices=\${1#*:} text=$2 before=$3 found
  __ipamctl_kind=$kind
  if [[ $kind == list && $text == *,* ]]; then
    before=$before\${text%,*},
    text=\${text##*,}
  fi
  case $kind in
    choice | list)
      while IFS= read -r found; do
        COMPREPLY+=("$before$found")
      done < <(compgen -W "$choices" -- "$text")
      ;;
    file)
      while IFS= read -r found; do
        COMPREPLY+=("$before$found")
      done < <(compgen -f -- "$text")
      compopt -o filenames 2>/dev/null
      ;;
  esac
}

_ipamctl() {
  local -a words
  local current word path='' flag='' before='' count=0 i
  COMPREPLY=()
  __ipamctl_kind=none
  __ipamctl_split
  for ((i = 0; i < \${#words[@]} - 1; i++)); do
    word=\${words[i]}
    if [[ -n $flag ]]; then
      flag=''
      continue
    fi
    case $word in
      --*=*) ;;
      -*)
        __ipamctl_value "$path" "$word"
        [[ -n $REPLY ]] && flag=$word
        ;;
      *)
        __ipamctl_words "$path"
        if [[ " $REPLY " == *" $word "* ]]; then path=\${path:+$path }$word; else count=$((count + 1)); fi
        ;;
    esac
  done
  current=\${words[i]-}
  if [[ -z $flag && $current == --*=* ]]; then
    flag=\${current%%=*}
    current=\${current#*=}
    # Where bash has cut the word, only its last part is replaced.
    [[ \${COMP_WORDS[COMP_CWORD]} == --* ]] && before=$flag=
  fi
  if [[ -n $flag ]]; then
    __ipamctl_value "$path" "$flag"
  elif [[ $current == -* ]]; then
    __ipamctl_flags "$path"
    REPLY=choice:$REPLY
  else
    __ipamctl_words "$path"
    if [[ -n $REPLY ]]; then REPLY=choice:$REPLY; else __ipamctl_argument "$path" "$count"; fi
  fi
  __ipamctl_reply "$REPLY" "$current" "$before"
  return 0
}

if [[ \${0##*/} == kubectl_complete-* ]]; then
  # kubectl runs a program of this name for the words after "kubectl ipamctl", and wants lines and what else to offer.
  COMP_WORDS=(kubectl-ipamctl "$@")
  COMP_CWORD=$#
  _ipamctl
  if [[ $__ipamctl_kind == file ]]; then
    echo :0
  else
    # After --flag= it wants the value alone.
    ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]#--*=}"
    echo :4
  fi
else
  complete -F _ipamctl ipamctl kubectl-ipamctl
fi
`;

/** The completion for bash. Run under the name `kubectl_complete-ipamctl`, it answers kubectl too. */
export function bashScript(tree: CommandTree): string {
  return [
    '#!/usr/bin/env bash',
    '# Completion of ipamctl, made by "ipamctl completion bash".',
    '',
    '# Words that may follow a topic.',
    ...table('__ipamctl_words', '$1', wordRows(tree)),
    '',
    '# Flags of a command.',
    ...table('__ipamctl_flags', '$1', flagRows(tree)),
    '',
    '# What follows a flag, as kind:choices; nothing for a flag that takes no value.',
    ...table('__ipamctl_value', '$1 $2', valueRows(tree)),
    '',
    '# The argument of a command in that place, from 0.',
    ...table('__ipamctl_argument', '$1 $2', argumentRows(tree)),
    ENGINE,
  ].join('\n');
}

interface Row {
  /** Patterns of a case statement. */
  readonly patterns: readonly string[];
  readonly reply: string;
}

/** A shell function that looks a key up and leaves what it finds in REPLY. */
function table(name: string, key: string, rows: readonly Row[]): string[] {
  const cases = rows.map(
    ({ patterns, reply }) => `    ${patterns.join(' | ')}) REPLY=${quoted(reply)} ;;`,
  );
  return [`${name}() {`, `  case "${key}" in`, ...cases, `    *) REPLY='' ;;`, '  esac', '}'];
}

function wordRows({ topics }: CommandTree): Row[] {
  return topics.map(({ words, children }) => ({
    patterns: [quoted(words.join(' '))],
    reply: children.map(({ word }) => word).join(' '),
  }));
}

function flagRows({ commands, topics }: CommandTree): Row[] {
  const rows = new Map<string, string[]>();
  const add = (words: readonly string[], flags: readonly FlagShape[]) => {
    const reply = flags.flatMap(spellings).join(' ');
    rows.set(reply, [...(rows.get(reply) ?? []), quoted(words.join(' '))]);
  };
  for (const { words } of topics) add(words, words.length === 0 ? [HELP, VERSION] : [HELP]);
  for (const { words, flags } of commands) add(words, [...flags, HELP]);
  return [...rows].map(([reply, patterns]) => ({ patterns, reply }));
}

function spellings({ name, char }: FlagShape): string[] {
  return char === undefined ? [`--${name}`] : [`--${name}`, `-${char}`];
}

/** A flag that is the same in every command that has it needs no command in its pattern. */
function valueRows({ commands }: CommandTree): Row[] {
  const uses = commands.flatMap(({ words, flags }) =>
    flags.flatMap((flag) =>
      spellings(flag).map((spelling) => ({
        spelling,
        words: words.join(' '),
        reply: flag.value === undefined ? '' : valueText(flag.value),
      })),
    ),
  );
  return [...Map.groupBy(uses, ({ spelling }) => spelling)].flatMap(([spelling, those]) => {
    const replies = Map.groupBy(those, ({ reply }) => reply);
    if (replies.size === 1) {
      const reply = those[0]?.reply ?? '';
      return reply === '' ? [] : [{ patterns: [`*${quoted(` ${spelling}`)}`], reply }];
    }
    return [...replies].map(([reply, same]) => ({
      patterns: same.map(({ words }) => quoted(`${words} ${spelling}`)),
      reply,
    }));
  });
}

function argumentRows({ commands }: CommandTree): Row[] {
  return commands.flatMap(({ words, args }) =>
    args.flatMap(({ value }, position) =>
      value.kind === 'free'
        ? []
        : [{ patterns: [quoted(`${words.join(' ')} ${position}`)], reply: valueText(value) }],
    ),
  );
}

function valueText(value: Value): string {
  if (value.kind !== 'choice') return `${value.kind}:`;
  return `${value.isList ? 'list' : 'choice'}:${value.choices.join(' ')}`;
}
