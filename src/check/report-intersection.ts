import { comparableHandleId } from '../ipam/handle-id.ts';
import { formatAddress } from '../net/address.ts';
import { cidrsEqual } from '../net/cidr.ts';
import type { ReadReport, ReportedAddress, ReportedHandle } from './read-report.ts';

/** What all reports offer alike. */
export interface ReportIntersection {
  readonly addresses: readonly ReportedAddress[];
  readonly handles: readonly ReportedHandle[];
}

/**
 * Keeps what every report offers: addresses with the same handle, sequence number and, where both say it, block; handles
 * with the same id, uid and revision. An address that was given out again between two reports is in none.
 */
export function intersectReports(reports: readonly ReadReport[]): ReportIntersection {
  const [first, ...others] = reports;
  if (first === undefined) return { addresses: [], handles: [] };
  const indexes = others.map((report) => Map.groupBy(report.addresses, addressKey));
  const handleSets = others.map(({ handles }) => new Set(handles.map(handleKey)));
  return {
    addresses: first.addresses.flatMap((entry) => {
      const merged = indexes.reduce<ReportedAddress | undefined>(
        (known, index) => known && agreeing(known, index),
        entry,
      );
      return merged === undefined ? [] : [merged];
    }),
    handles: first.handles.filter((handle) =>
      handleSets.every((set) => set.has(handleKey(handle))),
    ),
  };
}

/** The entry, with the block that either says; undefined when the other report has no such entry. */
function agreeing(
  entry: ReportedAddress,
  index: ReadonlyMap<string, readonly ReportedAddress[]>,
): ReportedAddress | undefined {
  const twin = index
    .get(addressKey(entry))
    ?.find(
      ({ block }) =>
        block === undefined || entry.block === undefined || cidrsEqual(block, entry.block),
    );
  return twin && { ...entry, block: entry.block ?? twin.block };
}

function addressKey({ address, handle, sequenceNumber }: ReportedAddress): string {
  return `${formatAddress(address)} ${sequenceNumber} ${comparableHandleId(handle ?? '')}`;
}

function handleKey({ id, uid, revision }: ReportedHandle): string {
  return JSON.stringify([id, uid ?? null, revision]);
}
