import { Errors } from '@oclif/core';
import { InternalError } from '../errors/internal-error.ts';
import { ToolError } from '../errors/tool-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Format } from '../render/format.ts';
import { render } from '../render/render.ts';
import { type ErrorDocument, errorView } from '../render/views/error.ts';
import { write } from './emit.ts';
import { programName } from './program-name.ts';
import { terminalOf } from './terminal.ts';
import { nearestFlags } from './unknown-flag.ts';

const HELP_HINT = 'run the command with --help to see what it takes';

/**
 * Tells on stderr what went wrong, as text or, under JSON and YAML, as a document, and sets the exit status. Takes
 * whatever was thrown; never throws itself.
 */
export async function reportError(thrown: unknown, argv: readonly string[]): Promise<void> {
  if (thrown instanceof Errors.ExitError) {
    process.exitCode = thrown.oclif.exit ?? 0;
    return;
  }
  const error = toToolError(thrown);
  process.exitCode = error.status;
  const terminal = terminalOf(process.stderr, process.env, argv.includes('--no-color'));
  const text = await render(toErrorDocument(error), errorView, {
    format: formatIn(argv),
    ...terminal,
    program: programName(process.argv[1]),
  });
  const stack = error instanceof InternalError && process.env['DEBUG'] ? stackOf(error) : '';
  // Where stderr cannot be written either, the status has to do.
  await write(process.stderr, text + stack).catch(() => undefined);
}

/** The document of an error. */
export function toErrorDocument(error: ToolError): ErrorDocument {
  const { code, message, hint, details, status } = error;
  return { kind: 'IPAMError', schemaVersion: 1, code, message, hint, details, status };
}

/** Any thrown value as an error of ours: misuse that oclif found, or a bug. */
export function toToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return unwrapParsing(thrown);
  if (isMisuse(thrown)) {
    const near = nearestFlags(thrown);
    const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : HELP_HINT;
    return new UsageError(messageOf(thrown), { hint, cause: thrown });
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new InternalError(`unexpected failure: ${message}`, {
    hint: 'this is a bug of ipamctl; run it again with DEBUG=1 and report what it prints',
    cause: thrown,
  });
}

/** Parse errors, and whatever else oclif says about the command line, carry status 2. */
function isMisuse(thrown: unknown): thrown is Error {
  return thrown instanceof Errors.CLIError && thrown.oclif.exit === 2;
}

/** oclif writes around the message of what a flag's parser throws, in the very error. */
function unwrapParsing(error: ToolError): ToolError {
  const inner = /^Parsing --\S+ \n\t([\s\S]*)\nSee more help with --help$/.exec(error.message)?.[1];
  if (inner !== undefined) error.message = inner;
  return error;
}

/** oclif's text in our words: without its pointer to the help, without colours, and each clash of flags once. */
function messageOf(error: Error): string {
  const text = error.message
    // eslint-disable-next-line no-control-regex -- oclif colours parts of its messages
    .replace(/\u001b\[[\d;]*m/g, '')
    .replace(/\n?See more help with --help$/, '')
    .replace(/^The following errors? occurred:\s*/, '');
  const lines = text.split('\n').map((line) => line.trimEnd());
  const clashes = new Set(lines.flatMap((line) => clashIn(line) ?? []));
  if (clashes.size > 0) return [...clashes].join('; ');
  const parsing = /^Parsing (--\S+)\s+([\s\S]*)$/.exec(text);
  if (parsing) return `${parsing[1] ?? ''}: ${lowerFirst(parsing[2] ?? '')}`;
  return lowerFirst(text);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** oclif tells a clash from both sides, with parsed values that nobody typed. */
function clashIn(line: string): string | undefined {
  const match = /^\s*--([\w-]+)=.* cannot also be provided when using --([\w-]+)$/s.exec(line);
  const flags = match?.slice(1).sort();
  return flags && `--${flags[0] ?? ''} and --${flags[1] ?? ''} exclude each other`;
}

/** The format asked for on a command line that may not parse. */
export function formatIn(argv: readonly string[]): Format {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const at = words.lastIndexOf('--format');
  const joined = words.findLast((word) => word.startsWith('--format='));
  const value = joined?.slice('--format='.length) ?? (at < 0 ? undefined : words[at + 1]);
  return value === 'json' || value === 'yaml' ? value : 'text';
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error;
  return `${cause.stack ?? ''}\n`;
}
