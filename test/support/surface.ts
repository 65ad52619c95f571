import { openSurface } from '../../src/render/render.ts';
import type { Surface } from '../../src/render/view.ts';

/** A surface of that width without colours. */
export async function plainSurface(width: number): Promise<Surface> {
  return openSurface({ width, hasColor: false });
}

/** Joins the lines of an expected text. */
export function lines(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** Columns of the widest line, but for commands on lines of their own: what is to be copied is not broken. */
export function widest(text: string): number {
  return Math.max(
    ...text.split('\n').flatMap((line) => (/^ {2}ipamctl \S/.test(line) ? [] : line.length)),
  );
}
