/** An undo file in memory. */
import type { UndoHeader, UndoHistory, UndoSink } from '../../src/operations/undo/undo-log.ts';
import { readUndo } from '../../src/operations/undo/read-undo.ts';
import { stringifyJson } from '../../src/support/json.ts';

/** Keeps lines as a file would. */
export class UndoMemory implements UndoSink {
  text: string;
  path: string | undefined;

  constructor(text = '') {
    this.text = text;
  }

  append(line: object, header: UndoHeader): Promise<void> {
    this.note(line, header);
    return Promise.resolve();
  }

  note(line: object, header: UndoHeader): void {
    if (this.text === '') this.text = `${stringifyJson(header)}\n`;
    this.text += `${stringifyJson(line)}\n`;
    this.path = 'undo.jsonl';
  }

  /** What `ipam restore` reads, or a run goes on with. */
  read(): UndoHistory {
    return readUndo(this.text, 'undo.jsonl');
  }
}
