import type { Facts, FindingSubject } from './finding.ts';

/**
 * What makes two findings of two looks the same: code, subject, and the sequence number where there is one, so that an
 * address that was given out again is another finding.
 */
export function findingIdentity(code: string, subject: FindingSubject, facts: Facts): string {
  const { kind, name, namespace, address, cidr, node, handle } = subject;
  return [code, kind, namespace, name, address, cidr, node, handle, facts['sequenceNumber']]
    .map((part) => (part === undefined ? '' : String(part as string | bigint)))
    .join('\n');
}
