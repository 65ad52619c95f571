import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import type { WritableDatastore } from '../datastore/datastore.ts';
import {
  type ConnectionOptions,
  openDatastore,
  openOtherSide,
  unopenedSides,
} from '../datastore/open-datastore.ts';
import type { OperationContext } from '../operations/context.ts';
import type { MigrationSide } from '../operations/show-migration-status.ts';
import type { Clock } from '../support/clock.ts';
import { openClock } from './clock.ts';
import type { CommonFlags } from './flags.ts';
import { type Tuning, tuneEngine } from './engine-tuning.ts';
import type { OutputPaths } from './path-flags.ts';
import { TerminalProgress } from './progress.ts';
import { openCancellation } from './signals.ts';

/** What a command that is running has to put away. */
export interface Session {
  /** Takes progress off the terminal, before something else is printed. */
  quieten(): void;
  /** Prints: progress is taken off the terminal, and the engine is not tuned to lists meanwhile. */
  print(action: () => Promise<void>): Promise<void>;
  /** The error to report for what was thrown: when the command was ended, the end and not what broke because of it. */
  explain(thrown: unknown): unknown;
  /** Closes what was opened and stops listening for signals. */
  close(): Promise<void>;
}

/** A session with the ports of an operation. */
export interface DatastoreSession extends Session {
  readonly context: OperationContext;
  /**
   * The same ports for the other place in which Calico may keep data, where both etcd and a cluster are configured;
   * undefined where one is.
   */
  openOther(): Promise<OperationContext | undefined>;
}

/** A session with the sides of a migration, none of which is opened yet. */
export interface SidesSession extends Session {
  readonly sides: readonly MigrationSide[];
  readonly signal: AbortSignal;
}

/** What a datastore is opened from. */
export type SessionFlags = CommonFlags & Pick<ConnectionOptions, 'groupIfAbsent'>;

/** Builds the ports from flags and environment. Nothing is read yet, but a wrong configuration is told here. */
export async function openSession(
  flags: SessionFlags,
  toolVersion: string,
  outputs?: OutputPaths,
): Promise<DatastoreSession> {
  const ports = openPorts(flags, toolVersion, outputs);
  return ports.begin(async ({ session, options, contextOf }) => {
    const context = contextOf(await openDatastore(options));
    return {
      ...session,
      context,
      openOther: async () => {
        const other = await openOtherSide(options);
        return other && contextOf(other);
      },
    };
  });
}

/** The sides of a migration, each to be opened on its own; a wrong configuration is told here. */
export async function openSides(flags: CommonFlags, toolVersion: string): Promise<SidesSession> {
  const ports = openPorts(flags, toolVersion);
  return ports.begin(async ({ session, options, contextOf }) => {
    const sides = await unopenedSides(options);
    return {
      ...session,
      signal: ports.signal,
      sides: sides.map((side) => ({
        source: side.source,
        open: async () => contextOf(await side.open()),
      })),
    };
  });
}

/** What sessions are made of. */
interface Beginning {
  readonly session: Session;
  readonly options: ConnectionOptions;
  /** Ports for a datastore that was opened, which is closed with the session. */
  readonly contextOf: (datastore: WritableDatastore) => OperationContext;
}

interface Ports {
  readonly signal: AbortSignal;
  /** Makes a session; what was listening stops when that fails. */
  begin<S>(make: (beginning: Beginning) => Promise<S>): Promise<S>;
}

function openPorts(flags: SessionFlags, toolVersion: string, outputs?: OutputPaths): Ports {
  const clock = openClock(process.env);
  const { quiet, verbose } = flags;
  const progress = new TerminalProgress({ stream: process.stderr, quiet, verbose });
  const { signal, release } = openCancellation(flags.timeout);
  const open: Opened = { progress, signal, release, datastores: [] };
  const session = sessionOf(open);
  const contextOf = (datastore: WritableDatastore): OperationContext => {
    open.datastores.push(datastore);
    if (datastore.capabilities.live) open.tuning ??= tuneEngine();
    return { datastore, clock, progress, signal, toolVersion };
  };
  return {
    signal,
    begin: async (make) => {
      try {
        progress.step('opening the datastore');
        const onFile = fileCheck(flags, outputs);
        const options = connectionOptions(flags, { progress, signal, clock, onFile });
        return await make({ session, options, contextOf });
      } catch (error) {
        release();
        progress.stop();
        throw session.explain(error);
      }
    },
  };
}

/** What a session has to put away. */
interface Opened {
  readonly progress: TerminalProgress;
  readonly signal: AbortSignal;
  readonly release: () => void;
  readonly datastores: WritableDatastore[];
  /** Once something is read from a live datastore. */
  tuning?: Tuning;
}

function sessionOf(open: Opened): Session {
  const { progress, signal, release, datastores } = open;
  return {
    quieten: () => progress.stop(),
    print: (action) => {
      progress.stop();
      return open.tuning?.lift(action) ?? action();
    },
    explain: (thrown) => (signal.aborted ? signal.reason : thrown) as unknown,
    close: async () => {
      release();
      open.tuning?.end();
      progress.stop();
      await Promise.all(datastores.map((one) => one.close()));
    },
  };
}

/** Refuses a file that the datastore rests on and that is to be written. */
function fileCheck(
  { snapshot }: SessionFlags,
  outputs: OutputPaths | undefined,
): ConnectionOptions['onFile'] {
  if (outputs === undefined || outputs.isEmpty) return undefined;
  const by = snapshot === undefined ? 'a file of the connection' : 'a file of --snapshot';
  return (path) => outputs.assertNotRead(path, by);
}

function connectionOptions(
  flags: SessionFlags,
  {
    progress,
    signal,
    clock,
    onFile,
  }: {
    readonly progress: TerminalProgress;
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly onFile: ConnectionOptions['onFile'];
  },
): ConnectionOptions {
  return {
    ...flags,
    pageSize: flags['page-size'],
    env: process.env,
    homeDir: homedir(),
    ownsProcess: true,
    // A read that waits for more has to end with the command. To open it takes a while, so only where it is read.
    stdin: flags.snapshot === '-' ? addAbortSignal(signal, process.stdin) : undefined,
    warn: (text) => progress.warn(text),
    now: () => clock.now(),
    signal,
    onFile,
  };
}
