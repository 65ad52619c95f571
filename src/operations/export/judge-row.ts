import { ownerOfAffinity } from '../../ipam/block-owner.ts';
import type { NodeNames } from '../../ipam/migration/node-names.ts';
import { type Refusal, shownName } from '../../ipam/migration/refusal.ts';
import type { BlockRow } from '../../ipam/model/block.ts';
import { affinityName } from '../../ipam/model/names.ts';
import { isObjectName } from '../../ipam/model/object-name.ts';
import type { UnreadableRow } from '../../ipam/model/resource.ts';
import { keyText } from '../../ipam/model/resource.ts';
import type { ReadableRow, Row } from '../../ipam/model/row.ts';
import { validateBlock } from '../../ipam/validate-block.ts';

/** A refusal that does not name its subject yet. */
export type RefusalReason = Omit<Refusal, 'subject'>;

/** Kind and name of a row in a message. */
export function rowText({ kind, key }: Row): string {
  return `${kind} ${shownName(keyText(key))}`;
}

/** Why a row that cannot be read is refused. Lists call a handle unreadable whose id holds a slash. */
export function judgeUnreadable(row: UnreadableRow): RefusalReason {
  const isSlashed = row.kind === 'IPAMHandle' && row.key.name.includes('/');
  if (isSlashed) {
    return { code: 'impossible-name', reason: 'has a slash, which no name in Kubernetes can have' };
  }
  return { code: 'unreadable', reason: `cannot be read: ${row.unreadable}` };
}

/** What the content of a row that stays says against carrying it. */
export function judgeRow(row: ReadableRow, names: NodeNames): readonly RefusalReason[] {
  if (row.kind === 'IPAMBlock') return [...judgeBlock(row), ...judgeOwner(row, names)];
  if (row.kind === 'BlockAffinity' && row.type === 'host') return judgeHost(row.host, names);
  return [];
}

/** Whether the content of a block hangs together; an import could not take it otherwise. */
function judgeBlock(row: BlockRow): readonly RefusalReason[] {
  const { defects } = validateBlock(row);
  if (defects.length === 0) return [];
  return [{ code: 'unreadable', reason: `is damaged: ${defects.join('; ')}` }];
}

function judgeOwner(
  { affinity, cidr, object }: BlockRow,
  names: NodeNames,
): readonly RefusalReason[] {
  const text = affinity ?? oldOwner(object?.['hostAffinity']);
  if (text === undefined) return [];
  const owner = ownerOfAffinity(text);
  if (owner?.type === 'host' && names.isSkipped(owner.host)) return [];
  if (owner === undefined) {
    const reason = `has the owner ${shownName(text)}, which names nobody`;
    return [{ code: 'impossible-name', reason }];
  }
  const host = owner.type === 'host' ? names.nameOf(owner.host) : owner.host;
  const reasons = owner.type === 'host' ? judgeHost(owner.host, names) : [];
  if (isObjectName(affinityName(host, cidr))) return reasons;
  const reason = `has the owner ${shownName(host)}, of whom no row in Kubernetes can tell`;
  return [...reasons, { code: 'impossible-name', reason }];
}

function oldOwner(host: unknown): string | undefined {
  return typeof host === 'string' && host !== '' ? `host:${host}` : undefined;
}

/** What a host left behind that is no node must not become that of the node which gets its name. */
function judgeHost(host: string, names: NodeNames): readonly RefusalReason[] {
  const node = names.isSkipped(host) ? undefined : names.nodeThatBecomes(host);
  if (node === undefined) return [];
  const reason = `belongs to ${shownName(host)}, which is no node here, but what node ${shownName(node)} is called in Kubernetes`;
  return [{ code: 'name-of-another', reason }];
}
