/** Runs of commands that write, as fixtures describe them, against any datastore. */
import type { Datastore } from '../../src/datastore/datastore.ts';
import { readReport } from '../../src/check/read-report.ts';
import { EXIT_STATUSES } from '../../src/errors/exit-status.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { parseAddress } from '../../src/net/address.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import type { OutcomeDocument } from '../../src/operations/documents/outcome-document.ts';
import type { Mutation } from '../../src/operations/mutation.ts';
import { planRelease } from '../../src/operations/release-addresses.ts';
import { selectorFrom } from '../../src/operations/release/release-options.ts';
import { planRepair } from '../../src/operations/repair-findings.ts';
import { type CheckOptions, runCheck } from '../../src/operations/run-check.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { parseTime } from '../../src/support/time.ts';

/** The defaults of `ipam check`. */
export const CHECK_OPTIONS: CheckOptions = {
  failOn: 'error',
  only: [],
  skip: [],
  minAgeMs: 300_000,
  allowPartial: false,
  showAllIps: false,
  report: false,
};

/** How a run ended. */
export interface RunEnd {
  readonly status: number;
  readonly document?: OutcomeDocument | undefined;
  /** Everything that was said, for what has to be named. */
  readonly text: string;
}

/** Ports of a run at a fixed moment; waits end at once. */
export function portsAt(datastore: Datastore, time: string): OperationContext {
  const now = parseTime(time) ?? 0;
  return {
    datastore,
    clock: { now: () => now, sleep: () => Promise.resolve() },
    progress: { step: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    toolVersion: '0.0.0-test',
  };
}

/** The report of `ipam check -o`, as text. */
export async function reportText(context: OperationContext): Promise<string> {
  const { report } = await runCheck(context, { ...CHECK_OPTIONS, report: true });
  return stringifyJson(report, 2);
}

/**
 * Runs `ipam release …` or `ipam repair …` as a fixture writes it.
 * @param readFile Gives the text of a file that an argument names.
 */
export async function runWriting(
  context: OperationContext,
  args: readonly string[],
  readFile: (path: string) => string,
): Promise<RunEnd> {
  try {
    const mutation = await planOf(context, args, readFile);
    const outcome = args.includes('--dry-run') ? mutation.plan : await mutation.apply();
    const { status } = EXIT_STATUSES[outcome.verdict];
    const text = `${stringifyJson(outcome.document)}${outcome.error?.message ?? ''}`;
    const document = outcome.document.kind === 'IPAMOutcome' ? outcome.document : undefined;
    return { status, document, text };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { status: error.status, text: error.message };
  }
}

function planOf(
  context: OperationContext,
  args: readonly string[],
  readFile: (path: string) => string,
): Promise<Mutation> {
  const valueOf = (flag: string): string | undefined => {
    const at = args.indexOf(flag);
    return at < 0 ? undefined : args[at + 1];
  };
  const reports = args.flatMap((arg, at) =>
    args[at - 1] === '--from-report' ? readReport(readFile(arg), arg) : [],
  );
  const common = { minAgeMs: 300_000, isMismatchAllowed: true };
  if (args[1] === 'repair') {
    const only = valueOf('--only');
    return planRepair(context, { ...common, only: only === undefined ? [] : [only], reports });
  }
  const ip = valueOf('--ip');
  const flags = {
    ip: ip === undefined ? undefined : parseAddress(ip),
    handle: valueOf('--handle'),
    node: valueOf('--node'),
    pod: valueOf('--pod'),
    block: valueOf('--block'),
    leaked: args.includes('--leaked'),
  };
  return planRelease(context, {
    ...common,
    selector: selectorFrom(flags, reports),
    isForced: args.includes('--force'),
  });
}
