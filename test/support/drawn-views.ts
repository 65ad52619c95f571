/** Every text view of commands that a fixture can answer, as functions of the width. */
import { RULES } from '../../src/check/registry.ts';
import { toErrorDocument, toToolError } from '../../src/cli/report-error.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { explainRule, ruleTexts } from '../../src/operations/explain-rule.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import { planRelease } from '../../src/operations/release-addresses.ts';
import { planRepair } from '../../src/operations/repair-findings.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showAddress } from '../../src/operations/show-address.ts';
import { showBorrowed } from '../../src/operations/show-borrowed.ts';
import { showConfiguration } from '../../src/operations/show-configuration.ts';
import { showMigrationStatus } from '../../src/operations/show-migration-status.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import type { View } from '../../src/render/view.ts';
import { addressView } from '../../src/render/views/address.ts';
import { borrowedView } from '../../src/render/views/borrowed.ts';
import { checkView } from '../../src/render/views/check.ts';
import { configurationView } from '../../src/render/views/configuration.ts';
import { errorView } from '../../src/render/views/error.ts';
import { explainView } from '../../src/render/views/explain.ts';
import { migrationStatusView } from '../../src/render/views/migration-status.ts';
import { outcomeView } from '../../src/render/views/outcome.ts';
import { planView } from '../../src/render/views/plan.ts';
import { utilizationView } from '../../src/render/views/utilization.ts';
import { plainSurface } from './surface.ts';
import { CHECK_OPTIONS } from './writing-runs.ts';

/** A document with its view, waiting for a width. */
export interface DrawnView {
  readonly title: string;
  readonly draw: (width: number) => Promise<string>;
}

/** Addresses whose own view is drawn. */
const ADDRESSES = 3;

/** Views of what can be asked of a cluster. What it refuses is drawn as the error that it is. */
export async function drawnViews(context: OperationContext): Promise<readonly DrawnView[]> {
  const check = await runCheck(context, { ...CHECK_OPTIONS, showAllIps: true });
  const rules = ruleTexts();
  const addresses = check.document.findings
    .flatMap(({ subject }) => parseAddress(subject.address ?? '') ?? [])
    .slice(0, ADDRESSES);
  return [
    drawn('check', check.document, checkView({ rules })),
    drawn('check, all findings', check.document, checkView({ rules, isComplete: true })),
    ...(await asked('show', context, (one) => showUtilization(one, {}), utilizationView)),
    ...(await asked('map', context, (one) => showUtilization(one, { map: true }), utilizationView)),
    ...(await asked(
      'nodes and blocks',
      context,
      (one) => showUtilization(one, { by: 'node', showBlocks: true }),
      utilizationView,
    )),
    ...(await asked(
      'namespaces',
      context,
      (one) => showUtilization(one, { by: 'namespace' }),
      utilizationView,
    )),
    ...(await asked('borrowed', context, showBorrowed, borrowedView)),
    ...(await asked('configuration', context, showConfiguration, configurationView)),
    ...(await asked('status', context, (one) => showMigrationStatus([one]), migrationStatusView)),
    ...(
      await Promise.all(
        addresses.map((address) =>
          asked('address', context, (one) => showAddress(one, { address }), addressView),
        ),
      )
    ).flat(),
  ];
}

/** Plan and outcome of releasing and repairing whatever can be; changes the datastore. */
export async function drawnChanges(context: OperationContext): Promise<readonly DrawnView[]> {
  const common = { minAgeMs: 300_000, isMismatchAllowed: true };
  const release = await mutated('release', () =>
    planRelease(context, { ...common, selector: { by: 'leaked' }, isForced: false }),
  );
  const repair = await mutated('repair', () =>
    planRepair(context, { ...common, only: [], reports: [] }),
  );
  return [...release, ...repair];
}

/** What each rule means. */
export function drawnExplanations(): readonly DrawnView[] {
  return RULES.map(({ code }) => drawn(code, explainRule(code).document, explainView));
}

async function asked<D>(
  title: string,
  context: OperationContext,
  ask: (context: OperationContext) => Promise<{ readonly document: D }>,
  view: View<D>,
): Promise<readonly DrawnView[]> {
  try {
    return [drawn(title, (await ask(context)).document, view)];
  } catch (error) {
    return [drawn(`${title}, refused`, toErrorDocument(toToolError(error)), errorView)];
  }
}

async function mutated(
  title: string,
  plan: () => Promise<Mutation>,
): Promise<readonly DrawnView[]> {
  try {
    const mutation = await plan();
    const planned = drawn(`plan of ${title}`, mutation.plan.document, planView);
    const { document } = await mutation.apply();
    return [planned, drawn(`outcome of ${title}`, document, outcomeView)];
  } catch (error) {
    return [drawn(`${title}, refused`, toErrorDocument(toToolError(error)), errorView)];
  }
}

function drawn<D>(title: string, document: D, view: View<D>): DrawnView {
  return { title, draw: async (width) => view.text(document, await plainSurface(width)) };
}
