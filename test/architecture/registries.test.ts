import { expect } from 'chai';
import { basename } from 'node:path';
import { RULES } from '../../src/check/registry.ts';
import { sourceFiles } from '../support/source-files.ts';

const nameOf = (path: string): string => basename(path, '.ts');

describe('architecture/registries', () => {
  it('registers every rule file under its own code', () => {
    const files = sourceFiles('src/check/rules', /\.ts$/).map(({ path }) => nameOf(path));
    expect(RULES.map(({ code }) => code).sort()).to.deep.equal(files);
  });

  it('declares one rule a file, with the code that the file is named by', () => {
    for (const { path, text } of sourceFiles('src/check/rules', /\.ts$/)) {
      const codes = [...text.matchAll(/\bcode: '([^']+)'/g)].map(([, code]) => code);
      expect(codes, path).to.deep.equal([nameOf(path)]);
    }
  });

  it('tests every rule', () => {
    const tests = sourceFiles('test/unit/check/rules', /\.test\.ts$/).map(({ path }) =>
      nameOf(path).replace(/\..*$/, ''),
    );
    expect(RULES.map(({ code }) => code).filter((code) => !tests.includes(code))).to.deep.equal([]);
  });

  it('gives every rule a title, a reason to exist and a way out', () => {
    for (const rule of RULES) {
      expect(rule.title, rule.code).to.match(/\S/);
      expect(rule.why, rule.code).to.match(/\S/);
      expect(rule.remedy, rule.code).to.match(/\S/);
    }
  });

  it('names one class a command file', () => {
    for (const { path, text } of sourceFiles('src/commands', /\.ts$/)) {
      const classes = [...text.matchAll(/^export default class (\w+)/gm)].map(([, name]) =>
        name?.toLowerCase(),
      );
      const id = path
        .replace(/^src\/commands\//, '')
        .replace(/\.ts$/, '')
        .replaceAll(/[/-]/g, '');
      expect(classes, path).to.deep.equal([id]);
    }
  });
});
