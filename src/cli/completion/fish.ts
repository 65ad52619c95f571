import { type CommandTree, type FlagShape, HELP, type Value, VERSION } from './command-tree.ts';
import { asLabel, quotedForFish } from './quote.ts';

/** Functions that find the command on the line. */
const ENGINE = `
# The command on the line so far, without flags and what belongs to them.
function __ipamctl_path
    set -l tokens (commandline -opc)
    set -e tokens[1]
    set -l path
    set -l is_value no
    for token in $tokens
        if test $is_value = yes
            set is_value no
        else if contains -- $token $__ipamctl_valued
            set is_value yes
        else if string match -q -- '-*' $token
            continue
        else
            set -l longer (string join ' ' $path $token)
            contains -- $longer $__ipamctl_paths; or break
            set path $longer
        end
    end
    echo "$path"
end

# Whether the command is one of those.
function __ipamctl_at
    contains -- (__ipamctl_path) $argv
end

# Choices of which several may stand in one word, joined by commas.
function __ipamctl_list
    set -l before (commandline -ct | string replace -r -- '^--[^=]*=' '' | string match -r -- '^.*,')
    test -n "$before"; or set before ''
    printf '%s\\n' $before$argv
end
`;

/** The completion for fish. */
export function fishScript(tree: CommandTree): string {
  const { commands, topics } = tree;
  const paths = [...topics, ...commands].map(({ words }) => words.join(' ')).filter(Boolean);
  return [
    '# Completion of ipamctl, made by "ipamctl completion fish".',
    `set -g __ipamctl_paths ${paths.map(quotedForFish).join(' ')}`,
    `set -g __ipamctl_valued ${valuedFlags(tree).join(' ')}`,
    ENGINE,
    // What was known before, such as from an older version, goes.
    'complete -c ipamctl -e',
    'complete -c ipamctl -f',
    ...topics.flatMap(({ words, children }) =>
      children.map(({ word, summary }) =>
        line([words], `-a ${quotedForFish(word)}`, asLabel(summary)),
      ),
    ),
    ...flagLines(tree),
    ...commands.flatMap(({ words, args }) =>
      args.flatMap(({ name, value }) =>
        value.kind === 'free' ? [] : [line([words], valueOption(value), name)],
      ),
    ),
    'complete -c kubectl-ipamctl -w ipamctl',
    '',
  ].join('\n');
}

function valuedFlags({ commands }: CommandTree): string[] {
  const valued = commands.flatMap(({ flags }) =>
    flags
      .filter(({ value }) => value !== undefined)
      .flatMap(({ name, char }) => [`--${name}`, ...(char === undefined ? [] : [`-${char}`])]),
  );
  return [...new Set(valued)];
}

/** One line for each flag and all the commands that have that very flag. */
function flagLines({ commands, topics }: CommandTree): string[] {
  const uses = [
    ...commands.flatMap(({ words, flags }) => flags.map((flag) => ({ words, flag }))),
    ...[...topics, ...commands].map(({ words }) => ({ words, flag: HELP })),
    { words: [], flag: VERSION },
  ];
  return [...Map.groupBy(uses, ({ flag }) => JSON.stringify(flag)).values()].map((same) => {
    const places = same.map(({ words }) => words);
    const flag = same[0]?.flag ?? HELP;
    return line(places, flagOption(flag), asLabel(flag.summary));
  });
}

function flagOption({ name, char, value }: FlagShape): string {
  const names = `${char === undefined ? '' : `-s ${char} `}-l ${name}`;
  return value === undefined ? names : `${names} -r ${valueOption(value)}`;
}

function valueOption(value: Value): string {
  if (value.kind === 'file') return '-F';
  if (value.kind === 'free') return '-f';
  const { choices, isList } = value;
  const words = choices.join(' ');
  return `-f -a ${quotedForFish(isList ? `(__ipamctl_list ${words})` : words)}`;
}

function line(places: readonly (readonly string[])[], option: string, label: string): string {
  const condition = `__ipamctl_at ${places.map((words) => `"${words.join(' ')}"`).join(' ')}`;
  return `complete -c ipamctl -n ${quotedForFish(condition)} ${option} -d ${quotedForFish(label)}`;
}
