import type { UndoSink } from './undo-log.ts';

/** What a run that goes on has to be told, for one undo file to take back all of it; a part of a sentence. */
export function withUndoFile(path: string | undefined): string {
  return path === undefined
    ? ''
    : `; give it --undo-file ${path}, so that one file takes all of it back`;
}

/** A run that records nothing says so where its result is, too. */
export function undoNotes(undo: UndoSink | undefined): readonly string[] {
  return undo?.problem === undefined
    ? []
    : [`There is no undo file, so nothing can take this back: ${undo.problem}.`];
}
