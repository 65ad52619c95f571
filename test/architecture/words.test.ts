import { expect } from 'chai';
import { sourceFiles, type SourceFile } from '../support/source-files.ts';

/** Words that say nothing about what a file holds. */
const EMPTY_NAMES = /(?:^|[-/])(?:utils?|helpers?|common|misc|manager|stuff)\.ts$/;
const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/;
/** A switched-off check has to say why. */
const BARE_DISABLE =
  /(?:eslint-disable[^\n]*|@ts-(?:expect-error|ignore|nocheck)[^\n]*|c8 ignore[^\n]*)/g;

const ours = (): SourceFile[] => [
  ...sourceFiles('src', /\.ts$/),
  ...sourceFiles('test', /\.(?:ts|cjs|mjs)$/),
];
const self = 'test/architecture/words.test.ts';

describe('architecture/words', () => {
  it('has no file name that says nothing', () => {
    expect(ours().filter(({ path }) => EMPTY_NAMES.test(path))).to.deep.equal([]);
  });

  it('leaves nothing for later', () => {
    const found = ours().filter(({ path, text }) => path !== self && UNFINISHED.test(text));
    expect(found.map(({ path }) => path)).to.deep.equal([]);
  });

  it('gives a reason wherever a check is switched off', () => {
    const bare = ours()
      .filter(({ path }) => path !== self)
      .flatMap(({ path, text }) =>
        (text.match(BARE_DISABLE) ?? []).map((comment) => ({ path, comment })),
      )
      .filter(({ comment }) => !/ -- \S|: \S/.test(comment));
    expect(bare).to.deep.equal([]);
  });

  it('titles tests with facts', () => {
    const title = /\b(?:it|describe)(?:\.\w+)?\(\s*['"`][^'"`]*\b(?:should|works|correctly)\b/;
    const found = sourceFiles('test', /\.test\.ts$/).filter(
      ({ path, text }) => path !== self && title.test(text),
    );
    expect(found.map(({ path }) => path)).to.deep.equal([]);
  });
});
