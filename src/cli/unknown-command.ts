import { UsageError } from '../errors/usage-error.ts';
import { nearestOf } from '../support/nearest.ts';

/** What can be said of words that are no command: the nearest ones, or the command that takes no such argument. */
export function unknownCommand(id: string, knownIds: readonly string[]): UsageError {
  const words = id.split(':');
  const known = knownIds.map(spaced);
  for (let length = words.length - 1; length > 0; length--) {
    const command = words.slice(0, length).join(' ');
    if (!known.includes(command)) continue;
    const rest = words.slice(length).join(' ');
    return new UsageError(`${command} takes no argument: ${rest}`, {
      hint: `ipamctl ${command} --help shows what it takes`,
      details: { command, argument: rest },
    });
  }
  const near = nearestOf(words.join(' '), known);
  return new UsageError(`there is no command "${words.join(' ')}"`, {
    hint:
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'ipamctl --help lists the commands',
    details: { command: words.join(' '), near },
  });
}

/** The id in an error that says that oclif found no such command. */
export function unknownCommandId(thrown: unknown): string | undefined {
  return thrown instanceof Error
    ? /^command (\S+) not found$/.exec(thrown.message)?.[1]
    : undefined;
}

function spaced(id: string): string {
  return id.replaceAll(':', ' ');
}
