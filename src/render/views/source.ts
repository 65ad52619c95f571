import type { DocumentSource } from '../../operations/outcome.ts';
import { printable } from '../printable.ts';

/** Files that the user has named to connect; of the environment the next command knows by itself. */
export interface Connection {
  readonly config?: string | undefined;
  readonly kubeconfig?: string | undefined;
}

/** A source, and how the user has connected to it. */
type ConnectedSource = DocumentSource & { readonly connection?: Connection | undefined };

/** Where a document was read from, as a sentence part: `snapshot dump.yaml (cluster 5b0c…)`. */
export function sourceText(source: DocumentSource): string {
  const cluster = source.clusterGUID === undefined ? '' : ` (cluster ${source.clusterGUID})`;
  return `${placeText(source)}${cluster}`;
}

/**
 * Flags by which another command reads the same source, with a blank before; empty where the defaults or nothing do. The
 * files that the user has named are on the copy that {@link connectedBy} makes.
 */
export function sourceFlags({ file, context, connection }: ConnectedSource): string {
  if (file !== undefined) return file === '-' ? '' : ` --snapshot ${shellWord(file)}`;
  return Object.entries({ ...connection, context })
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`))
    .join('');
}

/** A document, for readers, whose commands connect as the one did that made it. */
export function connectedBy<D>(document: D, connection: Connection | undefined): D {
  if (connection === undefined || !hasSource(document)) return document;
  const source: ConnectedSource = { ...document.source, connection };
  return { ...document, source };
}

function hasSource(document: unknown): document is { readonly source: DocumentSource } {
  return typeof document === 'object' && document !== null && 'source' in document;
}

/** A word as a shell takes it, safe on a terminal. */
export function shellWord(text: string): string {
  const word = printable(text);
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function placeText({ datastore, file, context, server }: DocumentSource): string {
  if (file !== undefined)
    return file === '-' ? 'the snapshot on standard input' : `snapshot ${file}`;
  if (context !== undefined) return `${datastore} context ${context}`;
  return server === undefined ? `the ${datastore} datastore` : `${datastore} at ${server}`;
}
