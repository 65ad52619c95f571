import { type Listing, type ListOptions, StreamRestart } from '../datastore/datastore.ts';
import { AccessDeniedError } from '../errors/access-denied-error.ts';
import { UnavailableError } from '../errors/unavailable-error.ts';
import type { ResourceKind, Revision } from '../ipam/model/resource.ts';
import type { Row } from '../ipam/model/row.ts';
import type { OperationContext } from './context.ts';
import { countProgress } from './count-progress.ts';
import { mergeDenied } from './denials.ts';
import { LIST_ATTEMPTS, cutTooOften } from './load-rows.ts';

/**
 * Kinds by which claims are judged: what shows who carries an address, and the pools, since a pool exists before its
 * blocks. They are asked for only once the other lists have begun.
 */
const EVIDENCE: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'IPPool',
  'Node',
  'Pod',
  'WorkloadEndpoint',
  'Service',
  'VirtualMachine',
  'VirtualMachineInstance',
]);

/** Kinds that claim addresses; evidence must not be older than they are. */
const CLAIMS: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'IPAMBlock',
  'IPAMHandle',
  'BlockAffinity',
]);

/** Takes what is read. Kinds come side by side, each in order. */
export interface RowSink {
  /** Takes rows, which must not be kept; the stream waits for what is awaited here. */
  take(kind: ResourceKind, rows: readonly Row[]): void | Promise<void>;
  /** The kind was read to its end, even if no row of it came. */
  loaded(kind: ResourceKind): void;
  /** The server has no such kind. */
  notInstalled(kind: ResourceKind): void;
  /** The rows of the kind so far are void: it is read again. */
  drop(kind: ResourceKind): void | Promise<void>;
}

/** What to read. */
export interface ReadOptions {
  readonly kinds: readonly ResourceKind[];
  /** How much of each row's object comes along; see `ListOptions`. */
  readonly list?: Pick<ListOptions, 'keep' | 'trimsWorkloads'> | undefined;
  readonly sink: RowSink;
}

/**
 * Reads the kinds, claims before evidence: a pod exists before its address, so an allocation that was seen belongs to an
 * owner that the later list shows.
 * @throws {@link AccessDeniedError} naming every kind that may not be listed, not the first one alone.
 */
export async function readKinds(context: OperationContext, options: ReadOptions): Promise<void> {
  await new Reader(context, options).read();
}

class Reader {
  private readonly context: OperationContext;
  private readonly options: ReadOptions;
  private readonly abort = new AbortController();
  private readonly signal: AbortSignal;
  private readonly revisions = new Map<ResourceKind, Revision>();
  private readonly denied: AccessDeniedError[] = [];
  private readonly tell: (rows: number) => void;

  constructor(context: OperationContext, options: ReadOptions) {
    this.context = context;
    this.options = options;
    this.signal = AbortSignal.any([context.signal, this.abort.signal]);
    this.tell = countProgress({ what: 'reading rows' }, context);
  }

  async read(): Promise<void> {
    const { kinds } = this.options;
    const evidence = kinds.filter((kind) => EVIDENCE.has(kind));
    // Claims are long lists, and the first request has the connection that is open already.
    const claims = kinds.filter((kind) => CLAIMS.has(kind));
    const others = kinds.filter((kind) => !EVIDENCE.has(kind) && !CLAIMS.has(kind));
    const streams: Promise<void>[] = [];
    try {
      await this.start([...claims, ...others], streams);
      await this.start(evidence, streams);
      await settleAll(streams);
      if (this.denied.length > 0) throw mergeDenied(this.denied);
      await this.renewOldEvidence(evidence);
    } catch (error) {
      // Lists that were stopped on account of the first failure fail too, and say nothing of it.
      this.abort.abort(error);
      await Promise.allSettled(streams);
      throw this.abort.signal.reason;
    }
  }

  /** Resolves when all lists of the kinds have begun; each is taken from then on, while others are waited for. */
  private async start(kinds: readonly ResourceKind[], streams: Promise<void>[]): Promise<void> {
    const begun = kinds.map((kind) => this.begin(kind));
    for (const [i, beginning] of begun.entries()) {
      const stream = beginning.then((listing) => this.take(kinds[i] as ResourceKind, listing));
      stream.catch((error: unknown) => {
        this.abort.abort(error);
      });
      streams.push(stream);
    }
    await Promise.all(begun);
  }

  /** Asks for a list; undefined when it is not allowed, which is told at the end for all kinds together. */
  private async begin(kind: ResourceKind): Promise<Listing | undefined> {
    this.context.progress.step(`reading ${kind}`);
    const { list } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.context.datastore.list(kind, { ...list, signal: this.signal });
      } catch (error) {
        if (error instanceof AccessDeniedError) {
          this.denied.push(error);
          return undefined;
        }
        // Even the first page may have expired by the time it is asked for.
        assertMayRestart(kind, error, attempt);
      }
    }
  }

  /** Takes all rows of a kind, from the start again when the stream is cut. */
  private async take(kind: ResourceKind, begun: Listing | undefined): Promise<void> {
    let listing = begun;
    for (let attempt = 1; listing; attempt++) {
      try {
        await this.takeOnce(kind, listing);
        return;
      } catch (error) {
        assertMayRestart(kind, error, attempt);
        await this.options.sink.drop(kind);
        listing = await this.begin(kind);
      }
    }
  }

  private async takeOnce(kind: ResourceKind, listing: Listing): Promise<void> {
    const { sink } = this.options;
    if (listing.absent === 'not-loaded') return;
    if (listing.absent === 'not-installed') {
      sink.notInstalled(kind);
      return;
    }
    for await (const batch of listing.rows) {
      this.tell(batch.length);
      const taken = sink.take(kind, batch);
      if (taken !== undefined) await taken;
    }
    sink.loaded(kind);
    if (listing.revision !== undefined) this.revisions.set(kind, listing.revision);
  }

  /** Lists evidence again that is older than a claim; revisions of one server can be compared. */
  private async renewOldEvidence(evidence: readonly ResourceKind[]): Promise<void> {
    for (const kind of evidence) {
      for (let attempt = 1; this.isOlderThanClaims(kind); attempt++) {
        if (attempt === LIST_ATTEMPTS) {
          throw new UnavailableError(
            `the server keeps answering with a list of ${kind} that is older than its blocks`,
            {
              hint: 'Run the command again when the API server has caught up.',
              retryable: true,
            },
          );
        }
        await this.options.sink.drop(kind);
        await this.take(kind, await this.begin(kind));
      }
    }
  }

  private isOlderThanClaims(kind: ResourceKind): boolean {
    const revision = this.revisions.get(kind);
    if (revision === undefined) return false;
    return [...CLAIMS].some((claim) => {
      const claimed = this.revisions.get(claim);
      const order =
        claimed === undefined
          ? undefined
          : this.context.datastore.compareRevisions(revision, claimed);
      return order !== undefined && order < 0;
    });
  }
}

/** Throws what is no mere cut, or one too many. */
function assertMayRestart(kind: ResourceKind, error: unknown, attempt: number): void {
  if (!(error instanceof StreamRestart)) throw error;
  if (attempt === LIST_ATTEMPTS) throw cutTooOften(kind, error);
}

/** Waits for all, so that nothing goes on in the background, then throws the first failure that is no mere abort. */
async function settleAll(streams: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(streams);
  const reasons = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (reasons.length === 0) return;
  throw reasons.find((reason) => !isAbort(reason)) ?? reasons[0];
}

function isAbort(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'AbortError';
}
