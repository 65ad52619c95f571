import type { DocumentSource } from '../../operations/outcome.ts';

/** Where a document was read from, as a sentence part: `snapshot dump.yaml (cluster 5b0c…)`. */
export function sourceText(source: DocumentSource): string {
  const cluster = source.clusterGUID === undefined ? '' : ` (cluster ${source.clusterGUID})`;
  return `${placeText(source)}${cluster}`;
}

function placeText({ datastore, file, context, server }: DocumentSource): string {
  if (file !== undefined)
    return file === '-' ? 'the snapshot on standard input' : `snapshot ${file}`;
  if (context !== undefined) return `${datastore} context ${context}`;
  return server === undefined ? `the ${datastore} datastore` : `${datastore} at ${server}`;
}
