/** Every text of commands that a cluster can be asked for. */
import { RULES } from '../../src/check/registry.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { explainRule } from '../../src/operations/explain-rule.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showAddress } from '../../src/operations/show-address.ts';
import { showBorrowed } from '../../src/operations/show-borrowed.ts';
import { showConfiguration } from '../../src/operations/show-configuration.ts';
import {
  type ShowUtilizationOptions,
  showUtilization,
} from '../../src/operations/show-utilization.ts';
import { snapshotDatastore } from '../../src/operations/snapshot-datastore.ts';
import { asked, drawn, type DrawnView } from './drawn-view.ts';
import { statusOf } from './migration-sides.ts';
import { MemoryTarget } from './snapshot-target.ts';
import { CHECK_OPTIONS } from './writing-runs.ts';

/** Addresses whose own view is drawn. */
const ADDRESSES = 3;

const UTILIZATIONS: readonly ShowUtilizationOptions[] = [
  {},
  { map: true },
  { by: 'node', showBlocks: true },
  { by: 'namespace' },
];

/** Texts of what can be asked of a cluster. */
export async function drawnViews(context: OperationContext): Promise<readonly DrawnView[]> {
  const check = await runCheck(context, { ...CHECK_OPTIONS, showAllIps: true });
  const addresses = check.document.findings
    .flatMap(({ subject }) => parseAddress(subject.address ?? '') ?? [])
    .slice(0, ADDRESSES);
  const shown = await Promise.all([
    ...UTILIZATIONS.map((options) =>
      asked('ipam show', 'utilizationView', () => showUtilization(context, options)),
    ),
    ...addresses.map((address) =>
      asked('ipam show', 'addressView', () => showAddress(context, { address })),
    ),
    asked('ipam show', 'borrowedView', () => showBorrowed(context)),
    asked('ipam show', 'configurationView', () => showConfiguration(context)),
    asked('datastore migrate status', 'migrationStatusView', () => statusOf(context)),
    asked('datastore snapshot', 'datastoreSnapshotView', () =>
      snapshotDatastore(context, new MemoryTarget(), { isDryRun: true }),
    ),
  ]);
  return [...drawn('ipam check', 'checkView', check.document), ...shown.flat()];
}

/** What each rule means. */
export function drawnExplanations(): readonly DrawnView[] {
  return RULES.flatMap(({ code }) =>
    drawn('ipam check', 'explainView', explainRule(code).document),
  );
}
