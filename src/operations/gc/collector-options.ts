import type { UndoHistory } from '../undo/undo-log.ts';
import { continueUndo } from '../undo/continue-undo.ts';
import { type CollectorMemory, readMemory } from './collector-memory.ts';

/** How to collect. */
export interface CollectorOptions {
  /** How long a leak or an empty block of a live node has to be seen, in milliseconds; 0 releases neither. */
  readonly leakGraceMs: number;
  /** Younger allocations are left alone, in milliseconds. */
  readonly minAgeMs: number;
  readonly isMismatchAllowed: boolean;
  /** What earlier runs have seen. */
  readonly memory?: CollectorMemory | undefined;
  /** Where that stands, for messages. */
  readonly memoryName?: string | undefined;
  /** What an undo file says that this run goes on with. */
  readonly history?: UndoHistory | undefined;
}

/** A file as far as it was read. */
interface NamedText<T extends string | undefined> {
  readonly name: string;
  readonly text: T;
}

/** Younger than this, an allocation may belong to something that is not visible yet, whatever the grace period. */
const MIN_AGE_MS = 300_000;

/**
 * Options from flags and from the files that they name.
 * @throws {@link DataError} when the state file is none, {@link UsageError} when the undo file is of something else.
 */
export function collectorOptionsFrom(
  flags: { readonly 'leak-grace': number; readonly 'allow-version-mismatch': boolean },
  {
    state,
    undo,
  }: {
    readonly state: NamedText<string | undefined> | undefined;
    readonly undo: NamedText<string> | undefined;
  },
): CollectorOptions {
  return {
    leakGraceMs: flags['leak-grace'],
    minAgeMs: MIN_AGE_MS,
    isMismatchAllowed: flags['allow-version-mismatch'],
    memory: state?.text === undefined ? undefined : readMemory(state.text, state.name),
    memoryName: state && `state file ${state.name}`,
    history: undo && continueUndo(undo, 'ipam gc'),
  };
}
