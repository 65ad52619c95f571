/** Runs of every command that needs rights, by the role that is meant for it. */
import type { ClusterName } from './rbac-cluster.ts';

/** Roles that deploy/rbac ships. */
export type RoleName =
  | 'ipamctl-read-only'
  | 'ipamctl-release-and-repair'
  | 'ipamctl-migrate'
  | 'ipamctl-take-back-import'
  | 'ipamctl-install-definitions';

/** One run of the program. */
export interface Step {
  /** Arguments; `FOLDER` stands for the scenario's own folder. */
  readonly args: string;
  /** Exit status; 0 unless said otherwise. */
  readonly status?: number;
  /** Whether somebody else changes each object right before it is written. */
  readonly isRacing?: boolean;
  /** Whether it only reads, although others of the role write. */
  readonly writesNothing?: boolean;
  /** Kinds that are read beside the work: without the right to it they are left out. */
  readonly optional?: readonly string[];
  /** Makes ready what the next step needs, and could be done without the role. */
  readonly isGround?: boolean;
  /** Whether answers of writes are lost. */
  readonly isLossy?: boolean;
}

/** Runs one after another on one cluster. */
export interface Scenario {
  readonly role: RoleName;
  readonly cluster: ClusterName;
  readonly steps: readonly Step[];
}

/** Roles that only mean something beside another one. */
export const BESIDE: Readonly<Partial<Record<RoleName, RoleName>>> = {
  'ipamctl-take-back-import': 'ipamctl-migrate',
  'ipamctl-install-definitions': 'ipamctl-migrate',
};

const NOTHING_YOUNG = '--min-age 0s';

/** All of them; each command is here. */
export const SCENARIOS: readonly Scenario[] = [
  {
    role: 'ipamctl-read-only',
    cluster: 'troubled',
    steps: [
      { args: 'ipam show' },
      { args: 'ipam show --by namespace' },
      { args: 'ipam show --ip 10.0.0.2' },
      { args: 'ipam show --show-borrowed' },
      { args: 'ipam show --show-configuration' },
      { args: 'ipam check -o FOLDER/report.json', status: 1 },
      { args: 'datastore snapshot -o FOLDER/cluster.json.gz' },
      { args: 'datastore snapshot --redact=all -o FOLDER/redacted.json.gz' },
      { args: 'datastore migrate status' },
      { args: `ipam gc --once --leak-grace 1s --dry-run` },
    ],
  },
  {
    role: 'ipamctl-release-and-repair',
    cluster: 'troubled',
    steps: [
      {
        args: `ipam release --leaked --yes ${NOTHING_YOUNG} --undo-file FOLDER/release.jsonl`,
        isRacing: true,
      },
      { args: 'ipam restore FOLDER/release.jsonl --yes', isRacing: true },
      {
        args: `ipam repair --yes ${NOTHING_YOUNG} --undo-file FOLDER/repair.jsonl`,
        status: 3,
        isRacing: true,
      },
      { args: 'ipam restore FOLDER/repair.jsonl --yes' },
      { args: 'ipam release --ip 10.0.0.1 --force' },
      { args: 'ipam assign --node node-b --count 2 --handle ours' },
      { args: 'ipam release --handle ours --force --yes' },
    ],
  },
  {
    role: 'ipamctl-release-and-repair',
    cluster: 'troubled',
    steps: [{ args: 'ipam gc --once --leak-grace 1s', isRacing: true }],
  },
  {
    role: 'ipamctl-migrate',
    cluster: 'lockedless',
    steps: [
      { args: 'datastore migrate lock', optional: ['ippools'] },
      { args: 'datastore migrate unlock', isRacing: true },
      { args: 'datastore migrate lock' },
      { args: 'datastore migrate status', writesNothing: true },
      { args: 'ipam split 2 --name main --undo-file FOLDER/split.jsonl' },
      { args: 'ipam split 2 --name main --undo --yes' },
      { args: 'ipam split 2 --name main --undo-file FOLDER/again.jsonl' },
      { args: 'ipam restore FOLDER/again.jsonl --yes' },
      {
        args: 'ipam configure --strictaffinity=true --undo-file FOLDER/configure.jsonl',
        optional: ['ipamblocks'],
      },
      {
        args: 'ipam configure --strictaffinity=false --undo-file FOLDER/second.jsonl',
        isRacing: true,
      },
      { args: 'ipam restore FOLDER/second.jsonl --yes' },
      { args: 'ipam restore FOLDER/configure.jsonl --yes' },
      {
        args: 'ipam configure --strictaffinity=true --undo-file FOLDER/third.jsonl',
        optional: ['ipamblocks'],
      },
      { args: 'ipam configure --reset --yes --undo-file FOLDER/reset.jsonl' },
      { args: 'ipam restore FOLDER/reset.jsonl --yes' },
      { args: 'ipam configure --reset --yes' },
    ],
  },
  {
    role: 'ipamctl-migrate',
    cluster: 'calm',
    steps: [
      {
        args: 'datastore migrate rename-node elm oak --yes --undo-file FOLDER/rename.jsonl',
        isRacing: true,
        optional: [
          'bgpconfigurations',
          'bgppeers',
          'caliconodestatuses',
          'felixconfigurations',
          'hostendpoints',
        ],
      },
      { args: 'ipam restore FOLDER/rename.jsonl --yes', isRacing: true },
    ],
  },
  {
    role: 'ipamctl-migrate',
    cluster: 'bare',
    steps: [
      {
        args: 'datastore migrate import -f FOLDER/etcd.calico --undo-file FOLDER/import.jsonl',
        isLossy: true,
      },
    ],
  },
  {
    role: 'ipamctl-migrate',
    cluster: 'installed',
    steps: [
      { args: 'datastore migrate import -f FOLDER/etcd.calico --undo-file FOLDER/import.jsonl' },
    ],
  },
  {
    role: 'ipamctl-take-back-import',
    cluster: 'bare',
    steps: [
      {
        args: 'datastore migrate import -f FOLDER/etcd.calico --undo-file FOLDER/import.jsonl',
        isGround: true,
      },
      { args: 'ipam restore FOLDER/import.jsonl --yes' },
    ],
  },
  {
    role: 'ipamctl-install-definitions',
    cluster: 'without definitions',
    steps: [
      {
        args: 'datastore migrate import -f FOLDER/etcd.calico --crds FOLDER/definitions.yaml --undo-file FOLDER/import.jsonl',
      },
    ],
  },
];
