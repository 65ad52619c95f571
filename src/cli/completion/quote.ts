/** A text as one word of bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as one word of fish, where a backslash counts between single quotes. */
export function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A summary as the other tools of a shell have it: without the full stop. */
export function asLabel(summary: string): string {
  return summary.replace(/\.$/, '');
}
