/** How wide a stream is and whether it shows colours. */
export interface Terminal {
  /** Columns; infinite where nothing limits a line, so that what is piped on is whole. */
  readonly width: number;
  readonly hasColor: boolean;
}

/** A stream that may be a terminal. */
export interface MaybeTerminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Looks at a stream, the environment (`NO_COLOR`, `TERM`, `COLUMNS`) and `--no-color`. */
export function terminalOf(
  stream: MaybeTerminal,
  env: Readonly<Record<string, string | undefined>>,
  noColor: boolean,
): Terminal {
  const isTerminal = stream.isTTY === true;
  const isRefused = noColor || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb';
  return { width: widthOf(stream, env['COLUMNS'], isTerminal), hasColor: isTerminal && !isRefused };
}

function widthOf(
  { columns: own }: MaybeTerminal,
  columns: string | undefined,
  isTerminal: boolean,
): number {
  if (isTerminal && own !== undefined && own > 0) return own;
  const wanted = Number(columns);
  if (Number.isInteger(wanted) && wanted > 0) return wanted;
  return isTerminal ? 80 : Number.POSITIVE_INFINITY;
}
