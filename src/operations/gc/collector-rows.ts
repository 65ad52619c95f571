import type { CollectorScan } from '../../ipam/collector/collector-scan.ts';
import { handleName } from '../../ipam/model/names.ts';
import type { Block, ClusterState } from '../../ipam/state/cluster-state.ts';
import { unfinishedReleases } from './unfinished-releases.ts';

/** Rows that a round may write, as `KIND NAME`: their whole objects come along with the last look. */
export function rowsOf(scan: CollectorScan, state: ClusterState): ReadonlySet<string> {
  const rows = new Set<string>();
  const addBlock = ({ key, cidr }: Block): void => {
    rows.add(`IPAMBlock ${key.name}`);
    for (const row of state.affinitiesOf(cidr)) rows.add(`BlockAffinity ${row.key.name}`);
  };
  for (const { allocation } of scan.suspects) {
    const { handleId } = allocation;
    addBlock(allocation.block);
    if (handleId !== undefined)
      rows.add(`IPAMHandle ${handleId}`).add(`IPAMHandle ${handleName(handleId)}`);
  }
  for (const block of scan.coldBlocks) addBlock(block);
  for (const { block } of scan.emptyBlocks) addBlock(block);
  const absent = new Set(scan.absentNodes);
  for (const block of state.blocks)
    if (block.node !== undefined && absent.has(block.node)) addBlock(block);
  for (const { key, host } of state.affinities)
    if (absent.has(host)) rows.add(`BlockAffinity ${key.name}`);
  for (const { key } of unfinishedReleases(state)) rows.add(`BlockAffinity ${key.name}`);
  return rows;
}
