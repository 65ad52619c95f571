import { UsageError } from '../../errors/usage-error.ts';
import { readUndo } from './read-undo.ts';
import type { UndoHistory } from './undo-log.ts';

/**
 * What an undo file that exists already says, so that a run goes on with it; undefined for a new or empty one.
 * @throws {@link UsageError} when it is no undo file, or is of another command.
 */
export function continueUndo(
  file: { readonly text: string; readonly name: string },
  command: string,
): UndoHistory | undefined {
  // A header that was cut is none: nothing was written after it.
  if (!file.text.includes('\n')) return undefined;
  const history = readNamed(file);
  if (history.header.command === command) return history;
  throw new UsageError(
    `--undo-file: ${file.name} is of \`${history.header.command}\`, not of \`${command}\``,
    {
      hint: 'name a new file',
    },
  );
}

function readNamed({ text, name }: { readonly text: string; readonly name: string }): UndoHistory {
  try {
    return readUndo(text, name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--undo-file: ${reason}`, { hint: 'name a new file', cause: error });
  }
}
