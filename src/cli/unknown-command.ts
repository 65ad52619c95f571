import { UsageError } from '../errors/usage-error.ts';
import { parseAddress } from '../net/address.ts';
import { nearestOf } from '../support/nearest.ts';

/** What is known of a command that exists. */
export interface KnownCommand {
  readonly aliases?: readonly string[] | undefined;
  /** By their names. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/** First words of what calicoctl and kubectl do with objects of other kinds. */
const ELSEWHERE = new Set(
  'apply convert create delete describe edit get label node patch replace'.split(' '),
);

/**
 * What can be said of words that are no command: the nearest ones, or the command that takes no such argument.
 * @param commands Commands by their ids, such as `ipam:show`.
 */
export function unknownCommand(
  id: string,
  commands: Readonly<Record<string, KnownCommand>>,
): UsageError {
  const words = id.split(':');
  const known = new Map(
    Object.entries(commands).flatMap(([name, command]) =>
      [name, ...(command.aliases ?? [])].map((one) => [spaced(one), command] as const),
    ),
  );
  for (let length = words.length - 1; length > 0; length--) {
    const name = words.slice(0, length).join(' ');
    const command = known.get(name);
    if (command) return unexpectedArgument(name, words.slice(length), command);
  }
  const near = nearestCommands(words, [...known.keys()]);
  return new UsageError(`there is no command "${words.join(' ')}"`, {
    hint: hintOf(words, near),
    details: { command: words.join(' '), near },
  });
}

/** The id in an error that says that oclif found no such command, to run it or to show its help. */
export function unknownCommandId(thrown: unknown): string | undefined {
  return thrown instanceof Error
    ? /^command (\S+) not found\.?$/i.exec(thrown.message)?.[1]
    : undefined;
}

function unexpectedArgument(
  name: string,
  words: readonly string[],
  { flags }: KnownCommand,
): UsageError {
  // An id has colons between its words, as an IPv6 address has.
  const address = words.join(':');
  const isAddress = parseAddress(address) !== undefined && Object.hasOwn(flags, 'ip');
  const argument = isAddress ? address : words.join(' ');
  return new UsageError(`${name} takes no argument: ${argument}`, {
    hint: isAddress
      ? `for an address use --ip: ipamctl ${name} --ip ${argument}`
      : `ipamctl ${name} --help shows what it takes`,
    details: { command: name, argument },
  });
}

/** Commands in which each word, or one that is near to it, occurs; those of which only a part is alike mislead. */
function nearestCommands(words: readonly string[], known: readonly string[]): readonly string[] {
  const isMeant = (name: string): boolean =>
    words.every((word) => nearestOf(word, name.split(' ')).length > 0);
  return nearestOf(words.join(' '), known.filter(isMeant));
}

function hintOf([first = '']: readonly string[], near: readonly string[]): string {
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return ELSEWHERE.has(first)
    ? 'ipamctl is about addresses only; for everything else use kubectl or calicoctl'
    : 'ipamctl --help lists the commands';
}

function spaced(id: string): string {
  return id.replaceAll(':', ' ');
}
