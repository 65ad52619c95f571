// The notices of the libraries that the bundle contains, for THIRD_PARTY_NOTICES.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BEGIN = '<!-- What follows is made by npm run build from the libraries in the bundle. -->';

/**
 * The notices with the part for libraries made anew; what people wrote stands before it.
 * @param folders Folders of the packages in the bundle.
 * @throws {Error} naming a package that brings no text of its licence.
 */
export function withLibraries(notices, folders) {
  const byText = new Map();
  for (const library of folders.map(readLibrary)) {
    byText.set(library.text, [...(byText.get(library.text) ?? []), library]);
  }
  const sections = [...byText].map(([text, libraries]) =>
    [`## ${titleOf(libraries)}`, '', '```', text, '```'].join('\n'),
  );
  const own = notices.split(BEGIN)[0].trimEnd();
  return `${[own, BEGIN, ...sections].join('\n\n')}\n`;
}

/** Packages under the very same text share it. */
function titleOf(libraries) {
  const names = libraries.map(({ name, version }) => `${name} ${version}`);
  return `${[...new Set(names)].sort().join(', ')} (${libraries[0].license})`;
}

function readLibrary(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICENSE,LICENCE,license,License}*', { cwd: folder }).sort();
  const [notice] = globSync('NOTICE*', { cwd: folder });
  const text = [file, notice]
    .flatMap((path) => (path === undefined ? [] : readFileSync(join(folder, path), 'utf8')))
    .map((part) =>
      part
        .replaceAll('\r\n', '\n')
        .replaceAll(/[ \t]+$/gm, '')
        .trim(),
    )
    .join('\n\n');
  if (text === '') throw new Error(`${name} brings no text of its licence, ${license}`);
  return { name, version, license, text };
}
