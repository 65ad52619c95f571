import { UnavailableError } from '../../errors/unavailable-error.ts';

/** A read at a revision that etcd has forgotten; reading everything again, at a newer one, may succeed. */
export class CompactedError extends UnavailableError {
  constructor(revision: bigint | undefined, cause: unknown) {
    const which =
      revision === undefined ? 'the revision of the read' : `revision ${String(revision)}`;
    super(`etcd has compacted ${which} while it was being read`, {
      hint: 'run the command again; if that does not help, let etcd keep its history for longer (--auto-compaction-retention)',
      details: { revision },
      cause,
    });
  }
}
