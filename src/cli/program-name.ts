import { basename } from 'node:path';

/** Name of the file by which kubectl knows a plugin. */
const PLUGIN = 'kubectl-ipamctl';

/**
 * How a user types the name of the program.
 * @param path Of the file that was started, as in `process.argv[1]`.
 */
export function programName(path: string | undefined): string {
  return basename(path ?? '').startsWith(PLUGIN) ? 'kubectl ipamctl' : 'ipamctl';
}
