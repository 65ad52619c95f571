import { fstat, stat as statOf, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../errors/usage-error.ts';

/** Flags, of all commands, that name what is written; a state file is read, too. */
export const OUTPUT_FLAGS = ['output', 'undo-file', 'state-file', 'metrics-file'] as const;

/** Flags, of all commands, that name what is read. */
export const INPUT_FLAGS = [
  'snapshot',
  'config',
  'kubeconfig',
  'from-report',
  'filename',
  'map',
  'crds',
] as const;

/** Arguments, of all commands, that name what is read, with the name that the user knows. */
export const INPUT_ARGS = { file: 'UNDO-FILE' } as const;

/** Values of flags and arguments as they were parsed. */
type Values = Readonly<Record<string, unknown>>;

/** A path that the user names, and by what. */
interface Named {
  readonly by: string;
  readonly path: string;
}

/** Standard input among the files. */
const STDIN = 0;

/** What a command is told to write, known by the files themselves and not by their names. */
export class OutputPaths {
  readonly #byIdentity: ReadonlyMap<string, Named>;

  private constructor(byIdentity: ReadonlyMap<string, Named>) {
    this.#byIdentity = byIdentity;
  }

  /**
   * Finds the files that are to be written.
   * @throws {@link UsageError} when two of them are one.
   */
  static async of(flags: Values): Promise<OutputPaths> {
    const byIdentity = new Map<string, Named>();
    for (const output of OUTPUT_FLAGS.flatMap((name) => namedBy(`--${name}`, flags[name]))) {
      if (output.path === '-') continue;
      const identity = await identityOf(output.path);
      const other = identity === undefined ? undefined : byIdentity.get(identity);
      if (other !== undefined) throw sameFile(output, other);
      if (identity !== undefined) byIdentity.set(identity, output);
    }
    return new OutputPaths(byIdentity);
  }

  get isEmpty(): boolean {
    return this.#byIdentity.size === 0;
  }

  /** @throws {@link UsageError} when one of them is read, too, so that writing would destroy what was read. */
  async assertApart(flags: Values, args: Values): Promise<void> {
    const inputs = [
      ...INPUT_FLAGS.flatMap((name) => namedBy(`--${name}`, flags[name])),
      ...Object.entries(INPUT_ARGS).flatMap(([name, by]) => namedBy(by, args[name])),
    ];
    for (const { by, path } of inputs) {
      // A list of kubeconfigs is one value.
      const paths = by === '--kubeconfig' ? path.split(delimiter) : [path];
      for (const one of paths) await this.assertNotRead(one, by);
    }
  }

  /** @throws {@link UsageError} when the path, which is read, is that of one of them. */
  async assertNotRead(path: string, by: string): Promise<void> {
    if (this.isEmpty) return;
    const identity = await identityOf(path);
    const output = identity === undefined ? undefined : this.#byIdentity.get(identity);
    if (output !== undefined) throw sameFile(output, { by, path });
  }
}

function namedBy(by: string, value: unknown): readonly Named[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap((path) => (typeof path === 'string' && path !== '' ? { by, path } : []));
}

/** What tells files apart, whatever they are called; undefined for what is no file, such as a device or a folder. */
async function identityOf(path: string): Promise<string | undefined> {
  const stats = await statsOf(path).catch(() => undefined);
  if (stats !== undefined) return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  const folder = await realpath(dirname(path)).catch(() => undefined);
  // What cannot be looked at cannot be read or written either, which is told by whoever tries.
  return folder === undefined ? undefined : join(folder, basename(path));
}

function statsOf(path: string): Promise<Stats> {
  return path === '-' ? promisify(fstat)(STDIN) : promisify(statOf)(path);
}

function sameFile(output: Named, other: Named): UsageError {
  return new UsageError(`${output.by} and ${other.by} are the same file: ${output.path}`, {
    hint: `name another file for ${output.by}; nothing was read or written`,
    details: { path: output.path },
  });
}
