import { nearestOf } from '../support/nearest.ts';

/** What oclif's error about a flag that no command has carries along. */
interface UnknownFlags {
  /** As they were typed, with their dashes. */
  readonly flags: readonly string[];
  readonly parse: { readonly input: { readonly flags: Readonly<Record<string, unknown>> } };
}

/** Flags of the command that was run that may be meant by those that it has not; none for any other error. */
export function nearestFlags(thrown: Error): readonly string[] {
  if (!tellsUnknownFlags(thrown)) return [];
  const known = Object.keys(thrown.parse.input.flags);
  const near = thrown.flags
    .filter((flag) => flag.startsWith('--'))
    .flatMap((flag) => nearestOf(flag.slice(2).replace(/=.*/s, ''), known));
  return [...new Set(near)].map((name) => `--${name}`);
}

function tellsUnknownFlags(thrown: Error): thrown is Error & UnknownFlags {
  return /^Nonexistent flags?: /.test(thrown.message) && 'flags' in thrown && 'parse' in thrown;
}
