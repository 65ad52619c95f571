/** A made-up cluster on real servers, and the program that carries it from one to the other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readSync, rmSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { WritableDatastore } from '../../../src/datastore/datastore.ts';
import { openKubernetesDatastore } from '../../../src/datastore/kubernetes/kubernetes-datastore.ts';
import type { CheckDocument } from '../../../src/operations/documents/check-document.ts';
import type { OutcomeDocument } from '../../../src/operations/documents/outcome-document.ts';
import { parseJson } from '../../../src/support/json.ts';
import type { ApiServer } from '../api-server-process.ts';
import type { CrdGroup } from '../crds.ts';
import { EtcdStore } from '../etcd-store.ts';
import { type RunResult, runCli } from '../run-cli.ts';
import { requireApiServer, requireEtcd } from '../shared-servers.ts';
import type { ClusterOptions } from './cluster.ts';
import { seedBoth, type SeededCluster } from './ground.ts';

const BIN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url));

const LINE_END = 0x0a;
/** Between two looks at a journal, in milliseconds. */
const LOOK_MS = 2;

/** Later than everything that a test makes, so that no row is young. */
const AHEAD_MS = 3_600_000;

/** What a bench is made of. */
export interface BenchOptions {
  readonly group: CrdGroup;
  readonly size: Pick<ClusterOptions, 'nodes' | 'podsPerNode' | 'hasOldForms'>;
  /** Time for starting the servers and filling them, in milliseconds. */
  readonly patienceMs: number;
}

/** The servers, filled, and how to run the program on either. */
export class MigrationBench {
  readonly api: ApiServer;
  readonly store: EtcdStore;
  readonly cluster: SeededCluster;
  /** What is in Kubernetes. */
  readonly datastore: WritableDatastore;
  readonly folder = mkdtempSync(join(tmpdir(), 'ipamctl-round-trip-'));
  readonly file = join(this.folder, 'etcd.calico');
  /** Environments that make either side the datastore. */
  readonly etcd: Readonly<Record<string, string>>;
  readonly kubernetes: Readonly<Record<string, string>>;

  private constructor(
    { api, endpoint }: { readonly api: ApiServer; readonly endpoint: string },
    content: Pick<MigrationBench, 'cluster' | 'datastore' | 'store'> & { readonly now: number },
  ) {
    this.api = api;
    this.cluster = content.cluster;
    this.datastore = content.datastore;
    this.store = content.store;
    const common = {
      HOME: this.folder,
      XDG_STATE_HOME: join(this.folder, 'state'),
      IPAMCTL_NOW: new Date(content.now).toISOString(),
      KUBECONFIG: api.kubeconfig(),
    };
    this.etcd = { ...common, DATASTORE_TYPE: 'etcdv3', ETCD_ENDPOINTS: endpoint };
    this.kubernetes = { ...common, DATASTORE_TYPE: 'kubernetes' };
  }

  /** Fills the servers that the tests share; for a `before` hook. */
  static async open(
    context: Mocha.Context,
    { group, size, patienceMs }: BenchOptions,
  ): Promise<MigrationBench> {
    const api = await requireApiServer(context, [group, 'kubevirt.io'], { carried: true });
    const { endpoint } = await requireEtcd(context);
    context.timeout(patienceMs);
    const now = Math.floor(Date.now() / 1000) * 1000 + AHEAD_MS;
    const store = new EtcdStore(endpoint);
    const cluster = await seedBoth(api, store, { ...size, now, seed: 1 });
    const kubeconfig = { value: api.kubeconfig(), origin: 'test' };
    const datastore = await openKubernetesDatastore({ kubeconfig, env: {} });
    return new MigrationBench({ api, endpoint }, { cluster, datastore, store, now });
  }

  async close(): Promise<void> {
    await this.datastore.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a command of `datastore migrate`. */
  migrate(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<RunResult> {
    return runCli(['datastore', 'migrate', ...args], { env });
  }

  /** Locks etcd and exports it. */
  async exportLocked(): Promise<void> {
    expect((await this.migrate(this.etcd, 'lock')).status).to.equal(0);
    const { status, stderr } = await this.migrate(this.etcd, 'export', '-o', this.file);
    expect(status, stderr).to.equal(0);
  }

  /** The check of either side, which finds faults. */
  async check(env: Readonly<Record<string, string>>): Promise<CheckDocument> {
    const { status, stdout, stderr } = await runCli(['ipam', 'check', '--format', 'json'], { env });
    expect(status, stderr).to.equal(1);
    return parseJson(stdout) as unknown as CheckDocument;
  }

  /** Imports what was exported, to the end. */
  async import(...more: readonly string[]): Promise<OutcomeDocument> {
    const args = ['import', '-f', this.file, '--format', 'json', ...more];
    const { status, stdout, stderr } = await this.migrate(this.kubernetes, ...args);
    expect(status, stderr).to.equal(0);
    return parseJson(stdout) as unknown as OutcomeDocument;
  }

  /** Lines of the journal of the import; none when there is no journal. */
  journalLines(): number {
    const journal = new GrowingFile(join(this.folder, 'state', 'ipamctl', 'import'));
    try {
      return journal.lines();
    } finally {
      journal.close();
    }
  }

  /** Takes the journal away. */
  forgetJournal(): void {
    rmSync(join(this.folder, 'state', 'ipamctl', 'import'), { recursive: true, force: true });
  }

  /**
   * Imports and ends the program by SIGKILL when its journal has so many lines, or so much later.
   * @returns whether it was still running.
   */
  async importKilled(lines: number, laterMs: number, ...more: readonly string[]): Promise<boolean> {
    const args = [BIN, 'datastore', 'migrate', 'import', '-f', this.file, ...more];
    const env = { ...process.env, ...this.kubernetes };
    const child: ChildProcess = spawn(process.execPath, args, { stdio: 'ignore', env });
    const ended = new Promise<boolean>((resolve) => {
      child.once('exit', (_status, signal) => resolve(signal === 'SIGKILL'));
    });
    const journal = new GrowingFile(join(this.folder, 'state', 'ipamctl', 'import'));
    while (child.exitCode === null && journal.lines() < lines) await delay(LOOK_MS);
    await delay(laterMs);
    child.kill('SIGKILL');
    const isKilled = await ended;
    journal.close();
    return isKilled;
  }
}

/** The one file of a folder, which grows while it is looked at. */
class GrowingFile {
  readonly #folder: string;
  readonly #buffer = Buffer.alloc(1 << 20);
  #descriptor: number | undefined;
  #lines = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** How many whole lines it has by now. */
  lines(): number {
    this.#descriptor ??= this.#open();
    if (this.#descriptor === undefined) return 0;
    for (let read = this.#read(); read > 0; read = this.#read()) {
      for (let at = 0; at < read; at++) if (this.#buffer[at] === LINE_END) this.#lines++;
    }
    return this.#lines;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  #read(): number {
    return readSync(this.#descriptor as number, this.#buffer);
  }

  #open(): number | undefined {
    try {
      // The lock of whoever writes it is hidden.
      const name = readdirSync(this.#folder).find((one) => !one.startsWith('.'));
      return name === undefined ? undefined : openSync(join(this.#folder, name), 'r');
    } catch {
      return undefined;
    }
  }
}
