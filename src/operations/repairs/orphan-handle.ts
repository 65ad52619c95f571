import { already, harmless, refusal, repair } from './repair.ts';

interface OrphanFacts {
  readonly handle: string;
  readonly rows: readonly string[];
  readonly young: boolean;
}

/** Deletes the rows of a handle without allocations, each under its own name, uid and revision. */
export const orphanHandle = repair<OrphanFacts>({
  code: 'orphan-handle',
  action: 'delete-handle',
  precondition: 'unchanged since it was read',
  isAboutHandle: true,
  keyOf: ({ facts }) => `handle ${facts.handle}`,
  keep: ({ facts }) =>
    facts.young
      ? harmless('it was made only just now, so an assignment may be under way')
      : undefined,
  async apply({ facts }, { look, access, writer, attempt }) {
    const known = new Map(look.state.handlesOf(facts.handle).map((row) => [row.key.name, row]));
    let isAnyDeleted = false;
    for (const name of facts.rows) {
      const row = await access.read('IPAMHandle', { name }, attempt);
      if (row === undefined) continue;
      const judged = known.get(name);
      if (row.revision !== judged?.revision || row.uid !== judged?.uid) {
        return refusal('it has changed since it was judged, so it may be in use');
      }
      await writer.remove(row, { action: 'delete-handle' });
      isAnyDeleted = true;
    }
    return isAnyDeleted ? undefined : already('it is gone');
  },
});
