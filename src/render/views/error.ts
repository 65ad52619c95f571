import { printable } from '../printable.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';

/** `IPAMError`: what stands on stderr when a command could not do what was asked. */
export interface ErrorDocument {
  readonly kind: 'IPAMError';
  readonly schemaVersion: 1;
  /** Stable upper-snake identifier. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Exit status of the process. */
  readonly status: number;
}

/** Message, then the hint; lines of a message that has several are kept. */
export const errorView: View<ErrorDocument> = { text: errorText };

function errorText({ message, hint }: ErrorDocument, { width, theme }: Surface): string {
  const [head = '', ...rest] = message.split('\n').map((line) => printable(line.trimEnd()));
  const lines = [
    ...wrapText(head, { width, first: 'Error: ', rest: '  ' }),
    ...rest
      .filter((line) => line !== '')
      .flatMap((line) =>
        wrapText(line.trim(), { width, first: `  ${/^ */.exec(line)?.[0] ?? ''}` }),
      ),
  ].map(theme.problem);
  return [...lines, ...hintLines(hint, width)].join('\n');
}

/** What to do about an error, below its message; empty without a hint. */
export function hintLines(hint: string | undefined, width: number): readonly string[] {
  return hint === undefined ? [] : wrapText(sentence(printable(hint)), { width, first: '  ' });
}

/** A hint may be a sentence or a part of one; a command at its start keeps its small letter. */
function sentence(text: string): string {
  const head = /^(?:ipamctl|calicoctl|kubectl)\b/.test(text)
    ? text
    : text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(head) ? head : `${head}.`;
}
