/** Exit statuses of every command; the one table, from which docs/exit-codes.md and the help sections are made. */
export const EXIT_STATUSES = {
  ok: { status: 0, meaning: 'done; for check: no finding reached --fail-on' },
  findings: { status: 1, meaning: 'check completed, and findings reached --fail-on' },
  usage: {
    status: 2,
    meaning: 'misuse: a wrong flag or value, or an output path that cannot be written',
  },
  partial: {
    status: 3,
    meaning: 'partly applied or partly evaluated; the document lists each part',
  },
  notFound: { status: 4, meaning: 'the named thing does not exist' },
  conflict: { status: 5, meaning: 'lost the race: a conflict remained after retries' },
  refused: { status: 6, meaning: 'refused for safety' },
  denied: { status: 7, meaning: 'access denied: not authenticated or not allowed' },
  unavailable: { status: 8, meaning: 'the datastore is unreachable or misconfigured' },
  data: { status: 9, meaning: 'data or an input file is unreadable or absent' },
  unsupported: { status: 10, meaning: 'not supported by this datastore' },
  internal: { status: 70, meaning: 'a bug of ipamctl' },
  interrupted: { status: 130, meaning: 'interrupted (SIGINT)' },
  terminated: { status: 143, meaning: 'terminated (SIGTERM)' },
} as const;

/** Name of a row of {@link EXIT_STATUSES}. */
export type ExitName = keyof typeof EXIT_STATUSES;
