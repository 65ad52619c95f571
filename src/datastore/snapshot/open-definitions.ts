import { DataError } from '../../errors/data-error.ts';
import { type Definition, readDefinitions } from '../definitions.ts';
import { readDocuments } from './documents.ts';
import { readSource, type SourceOptions } from './read-source.ts';

/**
 * Reads definitions of custom resources from a file, a folder or standard input (`-`).
 *
 * @throws {@link DataError} naming the file when it is absent, cannot be read, or holds something else.
 */
export async function openDefinitions(
  path: string,
  options: SourceOptions,
): Promise<readonly Definition[]> {
  const definitions: Definition[] = [];
  for await (const { file, text } of readSource(path, options)) {
    const documents = [...readDocuments(text, file)].map(({ value }) => value);
    try {
      definitions.push(...readDefinitions(documents));
    } catch (error) {
      if (!(error instanceof DataError)) throw error;
      const { hint } = error;
      throw new DataError(`${file}: ${error.message}`, { hint, details: { file }, cause: error });
    }
  }
  if (definitions.length > 0) return definitions;
  throw new DataError(`${path} holds no CustomResourceDefinition`, { details: { file: path } });
}
