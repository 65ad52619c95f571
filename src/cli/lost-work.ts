import { writeSync } from 'node:fs';
import { EXIT_STATUSES } from '../errors/exit-status.ts';

const STDERR = 2;

/**
 * Sees to it that work which nothing goes on with is told. Node ends a process once there is nothing left that it could wait
 * for, with status 0 and without a word, also when somebody still waits for a promise that nobody will keep.
 * @returns what ends the watch, when the work is done.
 */
export function watchForLostWork(): () => void {
  const tell = (): void => {
    process.exitCode = EXIT_STATUSES.internal.status;
    try {
      writeSync(
        STDERR,
        'Error: it ended before it was done; this is a bug of ipamctl, please report it\n',
      );
    } catch {
      // Where stderr cannot be written, the status has to do.
    }
  };
  process.on('exit', tell);
  return () => {
    process.off('exit', tell);
  };
}
