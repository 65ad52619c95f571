import type { NameMap } from '../../ipam/rename/legs.ts';
import { counted, type LegPlan, type RenameCounts } from './leg-plan.ts';
import type { RenameLook } from './rename-look.ts';

/** Names that a note lists. */
const NAMED = 5;

/** What notes are made of. */
interface NoteParts {
  readonly names: NameMap;
  readonly plans: readonly LegPlan[];
  /** Leg at which an earlier run was interrupted. */
  readonly begun: number | undefined;
  /** Number of all legs. */
  readonly legs: number;
}

/** What the user should know beside the items: how much is renamed, and what is not as it should be. */
export function renameNotes(look: RenameLook, parts: NoteParts): readonly string[] {
  const { names, plans, begun, legs } = parts;
  const isAnything = plans.some(({ items }) => items.length > 0);
  return [
    ...(begun === undefined
      ? []
      : [
          `A run of the same names was interrupted${legs > 1 ? ` at leg ${begun} of ${legs}` : ''}; this one goes on from there.`,
        ]),
    ...(isAnything ? plans.map((plan) => legNote(plan, legs)) : []),
    ...(isAnything ? targetNotes(names, look) : []),
    ...damageNotes(look),
  ];
}

function legNote({ number, names, counts }: LegPlan, legs: number): string {
  const [pair = ['', '']] = names;
  const who =
    names.size === 1 ? `${pair[0]} becomes ${pair[1]}` : `${names.size} nodes get new names`;
  return `${legs > 1 ? `Leg ${number} of ${legs}: ` : ''}${who}: ${countText(counts)}.`;
}

function countText({ blocks, owned, rows, handles, nodeAttributes }: RenameCounts): string {
  return [
    `${counted(blocks, 'block')} (${owned} by owner)`,
    counted(rows, 'affinity row'),
    counted(handles, 'tunnel handle'),
    counted(nodeAttributes, 'node attribute'),
  ].join(', ');
}

function targetNotes(names: NameMap, { state, nodes }: RenameLook): readonly string[] {
  if (!state.isLoaded('Node')) return [];
  const absent = [...names.values()].filter((name) => !nodes.has(name));
  if (absent.length === 0) return [];
  const [verb, owners] =
    absent.length === 1 ? ['is no node', 'it owns'] : ['are no nodes', 'they own'];
  return [`${listed(absent)} ${verb} yet; until then ipam check reports what ${owners}.`];
}

function damageNotes({ state, softDeleted }: RenameLook): readonly string[] {
  const unreadable = state.unreadable.filter(({ kind }) =>
    ['IPAMBlock', 'BlockAffinity', 'IPAMHandle'].includes(kind),
  ).length;
  return [
    ...(unreadable === 0
      ? []
      : [
          `${counted(unreadable, 'row')} of IPAM cannot be read, and may name a node that is renamed; see ipam check --only unreadable-object.`,
        ]),
    ...(softDeleted === 0
      ? []
      : [
          `${counted(softDeleted, 'row')} in soft deletion keep the old names; ipam repair removes them.`,
        ]),
  ];
}

/** Names in a sentence, not all of them. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}
