import { EXIT_STATUSES, type ExitName } from '../errors/exit-status.ts';

/** Statuses that any command which reads a datastore may end with, beside its own. */
const COMMON: readonly ExitName[] = [
  'usage',
  'denied',
  'unavailable',
  'data',
  'unsupported',
  'internal',
  'interrupted',
];

/**
 * A description with the exit statuses of the command below it, from the one table.
 * @param common Statuses beside its own, if not those of every command that reads a datastore.
 */
export function describeCommand(
  description: string,
  own: readonly ExitName[],
  common: readonly ExitName[] = COMMON,
): string {
  const names = new Set<ExitName>([...own, ...common]);
  const rows = Object.entries(EXIT_STATUSES)
    .filter(([name]) => names.has(name as ExitName))
    .map(([, { status, meaning }]) => `${status.toString().padEnd(4)} ${meaning}`);
  return [description, '', 'EXIT STATUS', ...rows].join('\n');
}
