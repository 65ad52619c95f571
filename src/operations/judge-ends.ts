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

function verdictOf(error: ToolError): Pick<Outcome<never>, 'verdict' | 'error'> {
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
      `partly done: ${applied} applied, ${left.length} not\n${left.slice(0, NAMED).map(lineOf).join('\n')}${restOf(left)}`,
      {
        hint: 'the document on stdout lists every item',
        details: { subjects: left.map(({ item }) => item.subject) },
      },
    ),
  };
}

function refusalOf(refused: readonly ItemEnd[]): PreconditionError {
  const lines = refused.slice(0, NAMED).map(lineOf);
  const details = { subjects: refused.map(({ item }) => item.subject) };
  const message =
    lines.length === 1 && lines[0]
      ? lines[0]
      : `refused, nothing was written\n${lines.join('\n')}${restOf(refused)}`;
  const address = refused.length === 1 ? refused[0]?.item.subject.address : undefined;
  const hint =
    address && `nothing was written; ipamctl ipam show --ip ${address} says who holds it`;
  return new PreconditionError(message, { hint, details });
}

function lineOf({ item, reason, error }: ItemEnd): string {
  return `${nameOf(item.subject)}: ${error?.message ?? reason}`;
}

/** What an item is about: a row or an object with its kind, since many kinds have one called `default`. */
function nameOf({ kind, name, namespace, address, cidr, handle }: PlanSubject): string {
  if (address !== undefined) return address;
  if (kind === 'IPAMHandle') return `handle ${handle ?? name}`;
  if (kind === 'IPAMBlock') return `block ${cidr ?? name}`;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function restOf(ends: readonly ItemEnd[]): string {
  return ends.length > NAMED ? `\nand ${ends.length - NAMED} more` : '';
}
