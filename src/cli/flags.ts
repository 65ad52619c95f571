import { Flags } from '@oclif/core';
import { UsageError } from '../errors/usage-error.ts';
import { FORMATS, type Format } from '../render/format.ts';
import { parseDuration } from './duration.ts';

const CONNECTION = 'CONNECTION';
const GENERAL = 'GENERAL';

/** A flag whose value is a duration, in milliseconds. */
export const durationFlag = Flags.custom<number>({
  helpValue: 'DURATION',
  parse: (text, _context, options) => Promise.resolve(parseDuration(text, options.name)),
});

/** A flag whose value is a number above zero. */
export const positiveFlag = Flags.custom<number>({
  parse: (text, _context, options) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
      throw new UsageError(`--${options.name}: "${text}" is no number above 0`);
    }
    return Promise.resolve(value);
  },
});

/** Parses a text that must say something: an unset variable of a script gives an empty one. */
export function nonEmpty(
  text: string,
  _context: unknown,
  { name }: { readonly name: string },
): Promise<string> {
  if (text === '')
    throw new UsageError(`--${name} is empty`, { hint: 'give it a value, or leave it out' });
  return Promise.resolve(text);
}

/** Flags of every command that opens a datastore. */
export const commonFlags = {
  config: Flags.string({
    char: 'c',
    helpGroup: CONNECTION,
    helpValue: 'FILE',
    summary: 'Connection file of calicoctl, if not /etc/calico/calicoctl.cfg.',
  }),
  kubeconfig: Flags.string({
    helpGroup: CONNECTION,
    helpValue: 'FILE',
    summary: 'Kubeconfig of the cluster.',
  }),
  context: Flags.string({
    helpGroup: CONNECTION,
    helpValue: 'NAME',
    summary: 'Context of the kubeconfig.',
  }),
  snapshot: Flags.string({
    helpGroup: CONNECTION,
    helpValue: 'PATH',
    summary: 'Read a dump instead of a cluster: a file, a folder, or - for stdin.',
    exclusive: ['config', 'kubeconfig', 'context'],
    parse: nonEmpty,
  }),
  timeout: durationFlag({
    helpGroup: CONNECTION,
    summary: 'Give up after this long, such as 90s or 5m; 0 for no limit.',
  }),
  qps: positiveFlag({
    helpGroup: CONNECTION,
    helpValue: 'N',
    summary: 'At most this many requests a second.',
  }),
  'page-size': Flags.integer({
    helpGroup: CONNECTION,
    helpValue: 'N',
    min: 1,
    summary: 'List in pages of this size instead of one stream.',
  }),
  'allow-version-mismatch': Flags.boolean({
    helpGroup: CONNECTION,
    summary:
      'Write to, or export, a cluster of another Calico version; reading one needs no leave.',
  }),
  quiet: Flags.boolean({
    helpGroup: GENERAL,
    summary: 'No progress and no warnings on stderr, but that there is no undo file.',
    exclusive: ['verbose'],
  }),
  verbose: Flags.boolean({
    helpGroup: GENERAL,
    summary: 'Long lists in full in the result, and more detail on stderr.',
  }),
  'no-color': Flags.boolean({
    helpGroup: GENERAL,
    summary: 'No colours, whatever the terminal can do.',
  }),
};

/** The flag that chooses the format; only some commands know HTML. */
export function formatFlag(
  formats: readonly Format[] = FORMATS.filter((format) => format !== 'html'),
) {
  return Flags.custom<Format>({
    helpGroup: GENERAL,
    options: [...formats],
    default: 'text',
    summary: 'How to print the result.',
  })();
}

/** Values of {@link commonFlags}. */
export interface CommonFlags {
  readonly config?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly snapshot?: string | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly qps?: number | undefined;
  readonly 'page-size'?: number | undefined;
  readonly 'allow-version-mismatch': boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly 'no-color': boolean;
}

/** Values of the flags that say how a result is printed. */
export interface OutputFlags extends Pick<CommonFlags, 'no-color' | 'config' | 'kubeconfig'> {
  readonly format: Format;
}
