import { DataError } from '../errors/data-error.ts';
import { UsageError } from '../errors/usage-error.ts';
import { readInputFile } from './files.ts';

/**
 * Reads a file of old and new names: a YAML or JSON object of texts.
 * @param path Its path; `-` for standard input.
 * @throws {@link DataError} when the file is absent or neither YAML nor JSON, {@link UsageError} when it is no object of
 * texts or has a name twice.
 */
export async function readNameMap(path: string): Promise<readonly (readonly [string, string])[]> {
  return parseNameMap(await readInputFile(path), path === '-' ? 'standard input' : path);
}

/** The names of the text of such a file, in its order; `place` is what the file is called in errors. */
export async function parseNameMap(
  text: string,
  place: string,
): Promise<readonly (readonly [string, string])[]> {
  const { isMap, isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false });
  for (const { code, message } of document.errors) {
    if (code === 'DUPLICATE_KEY')
      throw new UsageError(`--map: ${place} renames a node twice: ${message}`);
    // The parser's own words speak of its functions.
    const reason = code === 'MULTIPLE_DOCS' ? 'it holds several documents' : message;
    throw new DataError(`--map: ${place} is neither YAML nor JSON of one object: ${reason}`);
  }
  const { contents } = document;
  if (!isMap(contents))
    throw new UsageError(`--map: ${place} is no object of old and new names`, {
      hint: 'write one line a node, such as `worker-1: worker-1.example.com`',
    });
  return contents.items.map(({ key, value }) => {
    const [from, to] = [key, value].map((node) => (isScalar(node) ? node.value : node));
    if (typeof from === 'string' && typeof to === 'string') return [from, to];
    throw new UsageError(
      `--map: ${place} holds something that is no text: ${String(key)}: ${String(value)}`,
      {
        hint: 'put names that look like numbers or words of YAML in quotes',
      },
    );
  });
}
