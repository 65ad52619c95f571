import { expect } from 'chai';
import ts from 'typescript';
import { sourceFiles, type SourceFile } from '../support/source-files.ts';

/** Names of the exported declarations of a file that have no documentation directly above them. */
function undocumented({ path, text }: SourceFile): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  for (const statement of file.statements) {
    if (!isExported(statement) || hasDocumentation(statement, text)) continue;
    const { line } = file.getLineAndCharacterOfPosition(statement.getStart());
    found.push(`${path}:${line + 1}`);
  }
  return found;
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true;
}

function hasDocumentation(statement: ts.Statement, text: string): boolean {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const last = comments.at(-1);
  return last !== undefined && text.slice(last.pos, last.end).startsWith('/**');
}

describe('architecture/exports', () => {
  it('documents every exported symbol', () => {
    expect(sourceFiles('src', /\.ts$/).flatMap(undocumented)).to.deep.equal([]);
  });

  it('sees an export without documentation', () => {
    const text =
      '/** a */\nexport const a = 1;\n// b\nexport function b() {}\nexport type C = 1;\nconst d = 1;\n';
    expect(undocumented({ path: 'x.ts', text })).to.deep.equal(['x.ts:4', 'x.ts:5']);
  });

  it('re-exports nothing but types', () => {
    const reexport = /^export (?!type\b)(?:\*|\{[^}]*\}) from /m;
    // What the package offers to programs is gathered in one place.
    const found = sourceFiles('src', /\.ts$/).filter(
      ({ path, text }) => !path.endsWith('src/library.ts') && reexport.test(text),
    );
    expect(found.map(({ path }) => path)).to.deep.equal([]);
  });
});
