import { comparableHandleId } from '../handle-id.ts';
import { tunnelHandleOf } from '../migration/tunnel-handle.ts';
import type { NameMap } from './legs.ts';

/** The node that a handle id is of, when it is the id of a node's tunnel; whatever follows a control character is no part of it. */
export function nodeOfHandle(id: string): string | undefined {
  return tunnelHandleOf(comparableHandleId(id))?.node;
}

/** The id under the new name of its node, with what old releases wrote behind it; undefined when none of these is meant. */
export function renameHandleId(id: string, names: NameMap): string | undefined {
  const compared = comparableHandleId(id);
  const handle = tunnelHandleOf(compared);
  const name = handle && names.get(handle.node);
  return handle && name !== undefined
    ? `${handle.prefix}${name}${id.slice(compared.length)}`
    : undefined;
}
