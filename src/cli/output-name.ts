import { FORMATS } from '../render/format.ts';
import type { Progress } from '../support/progress.ts';

/** What other tools take after `-o` in place of a file. */
const FORMAT_NAMES: ReadonlySet<string> = new Set([...FORMATS, 'name', 'wide']);

/**
 * Warns who gives a file the name of a format: after `-o` other tools take how to print; here, as in calicoctl, it is where a
 * file goes.
 * @param path Value of `--output`.
 */
export function warnOfFormatName(path: string | undefined, progress: Pick<Progress, 'warn'>): void {
  if (path === undefined || !FORMAT_NAMES.has(path)) return;
  const isKnown = FORMATS.some((format) => format === path);
  progress.warn(
    `--output names a file, so one called ${path} is written; --format${isKnown ? ` ${path}` : ''} says how the result is printed`,
  );
}
