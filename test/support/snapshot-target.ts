/** A place for snapshots in memory. */
import { createHash } from 'node:crypto';
import type {
  FinishedSnapshot,
  SnapshotPiece,
  SnapshotTarget,
} from '../../src/operations/snapshot/snapshot-target.ts';

/** Keeps the parts as texts, and the whole of them in the end. */
export class MemoryTarget implements SnapshotTarget {
  readonly file = 'snapshot.json';
  readonly parts = new Map<string, string>();
  text = '';

  async write(part: string, text: string): Promise<void> {
    this.parts.set(part, (this.parts.get(part) ?? '') + text);
  }

  async reset(part: string): Promise<void> {
    this.parts.delete(part);
  }

  async finish(pieces: readonly SnapshotPiece[]): Promise<FinishedSnapshot> {
    this.text = pieces
      .map((piece) =>
        typeof piece === 'string' ? piece : (this.parts.get(piece.part) ?? '').slice(piece.from),
      )
      .join('');
    const bytes = Buffer.from(this.text);
    return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
  }
}
