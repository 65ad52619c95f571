import { ConflictError } from '../../errors/conflict-error.ts';
import { PreconditionError } from '../../errors/precondition-error.ts';
import { type BlockOwner, isSameOwner, ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import { countIn, hasEntry } from '../../ipam/rename/handle-entries.ts';
import { countHeld, renameBlock } from '../../ipam/rename/rename-block.ts';
import { withRetries } from '../with-retries.ts';
import type { RenameUnit } from './leg-plan.ts';
import {
  type ClaimStand,
  createNew,
  readClaim,
  removeNew,
  removeOld,
  settleNew,
} from './move-claim.ts';
import {
  type HandleStand,
  heldByOther,
  lowerNew,
  lowerOld,
  raiseNew,
  readHandle,
} from './move-handle.ts';
import type { RenameTools } from './rename-tools.ts';

/** A handle at one attempt. */
interface HandleAt {
  readonly stand: HandleStand;
  /** What the new id has to count in the block. */
  readonly want: number;
  /** Whether the old id has anything to do with the block. */
  readonly isInvolved: boolean;
}

/** The rows of a unit as they stand at one attempt. */
interface UnitStand {
  readonly block: BlockRow | undefined;
  readonly handles: readonly HandleAt[];
  readonly claims: readonly ClaimStand[];
}

/**
 * Renames a block with all that goes with it, or nothing of it: new handles raised, new rows pending, the block in one
 * write, new rows as the old ones, old handles lowered, old rows deleted. Each attempt reads everything anew and goes on
 * from what stands, so that it can end anywhere.
 * @returns whether anything was there to rename.
 * @throws {@link PreconditionError} when somebody else has taken what it needs; {@link ConflictError} for a lost race.
 */
export function applyUnit(unit: RenameUnit, tools: RenameTools): Promise<boolean> {
  return new UnitRun(unit, tools).apply();
}

class UnitRun {
  readonly #unit: RenameUnit;
  readonly #tools: RenameTools;
  /** Addresses that a handle counted in the block at first and that the block does not hold, by its old id. */
  readonly #drifts = new Map<string, number>();
  /** Whether this run has written the block. */
  #isWritten = false;

  constructor(unit: RenameUnit, tools: RenameTools) {
    this.#unit = unit;
    this.#tools = tools;
  }

  async apply(): Promise<boolean> {
    const { context, isResumed } = this.#tools;
    try {
      return await withRetries(context, async (attempt) => this.#rename(await this.#read(attempt)));
    } catch (error) {
      if (isTaken(error) && !this.#isWritten && !isResumed) await this.#takeBack();
      throw error;
    }
  }

  async #read(attempt: number): Promise<UnitStand> {
    const { cidr, block: own, handles: moves, claims: claimMoves } = this.#unit;
    const { access, writer } = this.#tools;
    const key = own?.key ?? writer.keys.block(cidr);
    const found = await access.read('IPAMBlock', key, attempt);
    const block = found?.deleted === false ? found : undefined;
    const handles: HandleAt[] = [];
    for (const move of moves)
      handles.push(this.#judge(await readHandle(move, attempt, this.#tools), block));
    const claims: ClaimStand[] = [];
    for (const move of claimMoves)
      claims.push(await readClaim(move, { cidr, attempt }, this.#tools));
    return { block, handles, claims };
  }

  /** @throws {@link PreconditionError} when the block names the new id, and not by the work of a renaming. */
  #judge(stand: HandleStand, block: BlockRow | undefined): HandleAt {
    const { cidr } = this.#unit;
    const { move, olds } = stand;
    const held = (id: string): number => (block === undefined ? 0 : countHeld(block, id));
    const [left, moved] = [held(move.oldId), held(move.newId)];
    if (moved > 0 && !this.#isWritten && !this.#tools.isResumed) throw heldByOther(move, cidr);
    const beyond = Math.max(0, countIn(olds, cidr) - left - moved);
    const drift = this.#drifts.get(move.oldId) ?? beyond;
    this.#drifts.set(move.oldId, drift);
    const isInvolved = left > 0 || olds.some((row) => hasEntry(row, cidr));
    return { stand, want: left + moved + drift, isInvolved };
  }

  async #rename({ block, handles, claims }: UnitStand): Promise<boolean> {
    const { cidr } = this.#unit;
    const tools = this.#tools;
    const rename = block && renameBlock(block, tools.names);
    await this.#raise(handles);
    const owner = ownerOfAffinity(rename?.block.affinity);
    const made: ClaimStand[] = [];
    for (const claim of claims) made.push(await this.#claim(claim, owner));
    const isRenamed = rename?.isChanged === true;
    if (block && isRenamed) await this.#write(block, rename.block);
    for (const claim of made) await settleNew(claim, tools);
    const involved = handles.filter(({ isInvolved }) => isInvolved);
    for (const { stand, want } of involved) await lowerOld(stand, { cidr, count: want }, tools);
    for (const claim of made) await removeOld(claim, tools);
    const hasClaim = claims.some(({ olds }) => olds.length > 0);
    return isRenamed || involved.length > 0 || hasClaim;
  }

  async #write(block: BlockRow, renamed: BlockRow): Promise<void> {
    await this.#tools.writer.update(block, renamed, { action: 'rename-block' });
    this.#isWritten = true;
  }

  async #raise(handles: readonly HandleAt[]): Promise<void> {
    const { cidr } = this.#unit;
    for (const { stand, want, isInvolved } of handles) {
      // It was raised for addresses that have been released in the meantime.
      if (want === 0) await lowerNew(stand, { cidr, count: 0 }, this.#tools);
      else if (isInvolved) await raiseNew(stand, { cidr, count: want }, this.#tools);
    }
  }

  async #claim(claim: ClaimStand, owner: BlockOwner | undefined): Promise<ClaimStand> {
    const isOwner =
      owner !== undefined && isSameOwner(owner, { type: 'host', host: claim.move.to });
    // The owner of a block may have given it up meanwhile; then its row is gone.
    if (claim.olds.length === 0 && !isOwner) await removeNew(claim, this.#tools);
    return createNew(claim, isOwner, this.#tools);
  }

  /** The block was not renamed: what was made for it goes again, as far as that is possible. */
  async #takeBack(): Promise<void> {
    const { cidr, claims, handles } = this.#unit;
    const tools = this.#tools;
    const attempt = (step: () => Promise<void>): Promise<void> =>
      withRetries(tools.context, step).catch(() => undefined);
    for (const move of claims) {
      await attempt(async () => {
        const claim = await readClaim(move, { cidr, attempt: 2 }, tools);
        if (claim.olds.length > 0) await removeNew(claim, tools);
      });
    }
    for (const move of handles) {
      await attempt(async () => {
        const handle = await readHandle(move, 2, tools);
        if (handle.olds.length > 0) await lowerNew(handle, { cidr, count: 0 }, tools);
      });
    }
  }
}

/** Whether somebody else has what the unit needs, or was faster every time. */
function isTaken(error: unknown): boolean {
  return error instanceof PreconditionError || error instanceof ConflictError;
}
