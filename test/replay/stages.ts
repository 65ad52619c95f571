import { openEtcdHouse } from './etcd-stage.ts';
import { openKubernetesHouse } from './kubernetes-stage.ts';
import { openMemoryStage } from './memory-stage.ts';
import { openSnapshotHouse } from './snapshot-stage.ts';
import type { StageHouse } from './stage.ts';

/** Datastores on which traces can be replayed. */
export const STAGES: Readonly<Record<string, () => Promise<StageHouse>>> = {
  memory: async () => ({ open: openMemoryStage, close: async () => undefined }),
  snapshot: openSnapshotHouse,
  kubernetes: openKubernetesHouse,
  etcd: openEtcdHouse,
};
