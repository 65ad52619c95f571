/** What a check of the source finds, in the words of the target. */
import type { Finding, FindingSubject } from '../../../src/check/finding.ts';
import type { CheckDocument } from '../../../src/operations/documents/check-document.ts';

/**
 * Findings that do not come along: endpoints are not carried, and how old rows are etcd does not know, so that there is
 * none stuck before.
 */
const OF_ONE_SIDE: ReadonlySet<string> = new Set(['stale-endpoint', 'stuck-affinity']);

const TUNNEL = /^((?:ipip|vxlan(?:-v6)?|wireguard(?:-v6)?)-tunnel-addr-)(.+)$/;

/** What is compared of a check. */
export interface ComparedCheck {
  readonly counts: object;
  readonly byCode: Readonly<Record<string, number>>;
  /** Code, subject and, where it names no row, reason of each; sorted. */
  readonly findings: readonly string[];
  readonly notEvaluated: readonly object[];
}

/**
 * Reduces a check to what must be the same at both ends.
 * @param names Names that nodes have at the other end; none for the target.
 * @param isHealed Findings that an export heals.
 */
export function comparedCheck(
  { summary, findings, notEvaluated }: CheckDocument,
  names: ReadonlyMap<string, string> = new Map(),
  isHealed: (finding: Finding) => boolean = () => false,
): ComparedCheck {
  const { problems: _p, warnings: _w, notes: _n, byCode: _c, ...counts } = summary;
  const kept = findings.filter((finding) => !OF_ONE_SIDE.has(finding.code) && !isHealed(finding));
  const byCode = Map.groupBy(kept, ({ code }) => code);
  return {
    counts,
    byCode: Object.fromEntries([...byCode].map(([code, of]) => [code, of.length])),
    findings: kept.map((finding) => findingText(finding, names)).sort(),
    notEvaluated,
  };
}

function findingText(
  { code, subject, reason, severity }: Finding,
  names: ReadonlyMap<string, string>,
): string {
  // Rows of claims and blocks are called otherwise in Kubernetes, and so they are in reasons.
  const isNamed = subject.kind === 'Address' || subject.kind === 'IPAMHandle';
  return JSON.stringify([
    code,
    severity,
    subjectAtTarget(subject, names),
    isNamed ? textAtTarget(reason, names) : undefined,
  ]);
}

function subjectAtTarget(
  { name, node, handle, ...subject }: FindingSubject,
  names: ReadonlyMap<string, string>,
): object {
  const identity = subject.cidr ?? subject.address ?? handle ?? name;
  return {
    ...subject,
    identity: handleAtTarget(identity, names),
    node: node === undefined ? undefined : (names.get(node) ?? node),
    handle: handle === undefined ? undefined : handleAtTarget(handle, names),
  };
}

function handleAtTarget(id: string, names: ReadonlyMap<string, string>): string {
  const [, prefix, node] = TUNNEL.exec(id) ?? [];
  return prefix === undefined || node === undefined ? id : prefix + (names.get(node) ?? node);
}

/** A text with all names changed at once. */
function textAtTarget(text: string, names: ReadonlyMap<string, string>): string {
  const changed = [...names].filter(([from, to]) => from !== to).map(([from]) => from);
  if (changed.length === 0) return text;
  const any = changed.map((name) => name.replaceAll('.', String.raw`\.`)).join('|');
  return text.replaceAll(
    new RegExp(`(?:${any})(?![\\w.-]*\\w)`, 'g'),
    (name) => names.get(name) ?? name,
  );
}
