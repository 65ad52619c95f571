import { Config, run } from '@oclif/core';
import { guardOutput } from './emit.ts';
import { reportError } from './report-error.ts';
import { unknownCommand, unknownCommandId } from './unknown-command.ts';

/**
 * Runs the command line from the words after the program's name; the exit status is left in `process.exitCode`.
 * @param root Folder of package.json, as a path or file URL.
 */
export async function main(argv: readonly string[], root: string): Promise<void> {
  guardOutput();
  try {
    await run([...argv], root);
  } catch (error) {
    // Commands report their own errors; here arrive unknown commands and failures of oclif itself.
    const id = unknownCommandId(error);
    await reportError(id === undefined ? error : unknownCommand(id, await commandIds(root)), argv);
  }
}

async function commandIds(root: string): Promise<readonly string[]> {
  return (await Config.load(root)).commandIDs;
}
