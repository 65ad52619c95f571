import { CancelledError } from '../errors/cancelled-error.ts';
import { EXIT_STATUSES, type ExitName } from '../errors/exit-status.ts';
import { PartialError } from '../errors/partial-error.ts';
import { PreconditionError } from '../errors/precondition-error.ts';
import type { ToolError } from '../errors/tool-error.ts';
import type { PlanSubject } from '../ipam/plan.ts';
import type { ItemEnd } from './item-ledger.ts';
import type { Outcome, Verdict } from './outcome.ts';

/** How many items an error text names. */
const NAMED = 5;

/**
 * What the ends of all items mean together. Failures weigh more than refusals; both mean "partly" as soon as anything
 * was applied. Harmless skips mean nothing.
 */
export function judgeEnds(
  ends: readonly ItemEnd[],
  interruption: unknown,
): Pick<Outcome<never>, 'verdict' | 'error'> {
  if (interruption instanceof CancelledError) return verdictOf(interruption);
  const failure = ends.find(({ end }) => end === 'failed');
  const isAnyApplied = ends.some(({ end }) => end === 'applied');
  if (failure?.error) return isAnyApplied ? partly(ends) : verdictOf(failure.error);
  const refused = ends.filter(({ end }) => end === 'refusal');
  if (refused.length > 0) return isAnyApplied ? partly(ends) : verdictOf(refusalOf(refused));
  return { verdict: ends.some(({ end }) => end === 'unjudged') ? 'partial' : 'ok' };
}

/** The verdict of a failure that leaves a document all the same. */
export function verdictOf(error: ToolError): Pick<Outcome<never>, 'verdict' | 'error'> {
  const names = Object.keys(EXIT_STATUSES) as ExitName[];
  const name = names.find((name) => EXIT_STATUSES[name].status === error.status);
  return { verdict: name ?? 'internal', error };
}

function partly(ends: readonly ItemEnd[]): { verdict: Verdict; error: ToolError } {
  const left = ends.filter(({ end }) => end === 'failed' || end === 'refusal');
  const applied = ends.filter(({ end }) => end === 'applied').length;
  return {
    verdict: 'partial',
    error: new PartialError(
      `partly done: ${applied} applied, ${left.length} not\n${linesOf(left).join('\n')}`,
      {
        hint: 'the result on standard output says what became of the rest',
        details: { subjects: left.map(({ item }) => item.subject) },
      },
    ),
  };
}

function refusalOf(refused: readonly ItemEnd[]): PreconditionError {
  const lines = linesOf(refused);
  const details = { subjects: refused.map(({ item }) => item.subject) };
  const message =
    lines.length === 1 && lines[0] ? lines[0] : `refused, nothing was written\n${lines.join('\n')}`;
  const address = refused.length === 1 ? refused[0]?.item.subject.address : undefined;
  const hint =
    address && `nothing was written; ipamctl ipam show --ip ${address} says who holds it`;
  return new PreconditionError(message, { hint, details });
}

/** A line an item, the first ones of many. */
function linesOf(ends: readonly ItemEnd[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(lineOf(end), (counts.get(lineOf(end)) ?? 0) + 1);
  const named = [...counts].slice(0, NAMED);
  const rest = ends.length - named.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...named.map(([line, count]) => (count > 1 ? `${count} x ${line}` : line)),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

function lineOf({ item, reason, error }: ItemEnd): string {
  return `${nameOf(item.subject)}: ${error?.message ?? reason}`;
}

/** What an item is about: a row or an object with its kind, since many kinds have one called `default`. */
function nameOf({ kind, name, namespace, address, cidr, handle }: PlanSubject): string {
  if (address !== undefined) return address;
  // One of several that were asked for by number alone.
  if (kind === 'Address') return 'an address';
  if (kind === 'IPAMHandle') return `handle ${handle ?? name}`;
  if (kind === 'IPAMBlock') return `block ${cidr ?? name}`;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
