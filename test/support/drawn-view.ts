/** Texts of commands as functions of the width, and the table of all views that there are. */
import { toErrorDocument, toToolError } from '../../src/cli/report-error.ts';
import { ruleTexts } from '../../src/operations/explain-rule.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import type { UndoSink } from '../../src/operations/undo/undo-log.ts';
import type { View } from '../../src/render/view.ts';
import { addressView } from '../../src/render/views/address.ts';
import { borrowedView } from '../../src/render/views/borrowed.ts';
import { checkView } from '../../src/render/views/check.ts';
import { configurationView } from '../../src/render/views/configuration.ts';
import { datastoreSnapshotView } from '../../src/render/views/datastore-snapshot.ts';
import { errorView } from '../../src/render/views/error.ts';
import { explainView } from '../../src/render/views/explain.ts';
import { migrationExportView } from '../../src/render/views/migration-export.ts';
import { migrationStatusView } from '../../src/render/views/migration-status.ts';
import { outcomeView } from '../../src/render/views/outcome.ts';
import { planView } from '../../src/render/views/plan.ts';
import { utilizationView } from '../../src/render/views/utilization.ts';
import { plainSurface } from './surface.ts';

const rules = ruleTexts();

/** Every view of a text, with the options that change it, by the name under which it is exported. */
const VIEWS = {
  addressView: [addressView],
  borrowedView: [borrowedView],
  checkView: [
    checkView({ rules, reportFile: 'report.json' }),
    checkView({ rules, isComplete: true }),
  ],
  configurationView: [configurationView],
  datastoreSnapshotView: [datastoreSnapshotView],
  errorView: [errorView],
  explainView: [explainView],
  migrationExportView: [migrationExportView(), migrationExportView({ isComplete: true })],
  migrationStatusView: [migrationStatusView],
  outcomeView: [outcomeView(), outcomeView({ isComplete: true })],
  planView: [planView(), planView({ isComplete: true })],
  utilizationView: [utilizationView],
} as const satisfies Record<string, readonly View<never>[]>;

/** Name of one of the views. */
export type ViewName = keyof typeof VIEWS;

/** A document with its view, waiting for a width. */
export interface DrawnView {
  /** Words of the command. */
  readonly command: string;
  readonly view: ViewName;
  readonly draw: (width: number) => Promise<string>;
}

/** A document under its view, in every form of it. */
export function drawn(command: string, view: ViewName, document: unknown): readonly DrawnView[] {
  const forms: readonly View<never>[] = VIEWS[view];
  return forms.map(({ text }) => ({
    command,
    view,
    draw: async (width) => text(document as never, await plainSurface(width)),
  }));
}

/** What is thrown, as the command tells it. */
export function drawnError(command: string, thrown: unknown): readonly DrawnView[] {
  return drawn(command, 'errorView', toErrorDocument(toToolError(thrown)));
}

/** What a command answers, and what it tells on stderr beside that; what it refuses is the error that it is. */
export async function asked(
  command: string,
  view: ViewName,
  ask: () => Promise<{ readonly document: unknown; readonly error?: unknown }>,
): Promise<readonly DrawnView[]> {
  try {
    const { document, error } = await ask();
    const told = error === undefined ? [] : drawnError(command, error);
    return [...drawn(command, view, document), ...told];
  } catch (error) {
    return drawnError(command, error);
  }
}

/** Plan and outcome of a command that writes. */
export async function mutated(
  command: string,
  plan: () => Promise<Mutation>,
  undo?: UndoSink,
): Promise<readonly DrawnView[]> {
  try {
    const mutation = await plan();
    return [
      ...(await asked(command, 'planView', () => Promise.resolve(mutation.plan))),
      ...(await asked(command, 'outcomeView', () => mutation.apply(undo))),
    ];
  } catch (error) {
    return drawnError(command, error);
  }
}
