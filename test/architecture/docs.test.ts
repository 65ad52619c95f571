import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { RULES } from '../../src/check/registry.ts';
import { type CommandTree, commandTree } from '../../src/cli/completion/command-tree.ts';
import { CONFIG_FIELDS } from '../../src/datastore/config-fields.ts';
import { EXIT_STATUSES } from '../../src/errors/exit-status.ts';
import { repairableCodes } from '../../src/operations/repairs/repair-options.ts';
import { Config } from '@oclif/core';
import {
  consoleBlocks,
  documentedLines,
  pages,
  problemOf,
  programCalls,
} from '../support/documented-commands.ts';
import { ROOT } from '../support/source-files.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Headings of a page as GitHub names their places. */
function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('architecture/docs', () => {
  let tree: CommandTree;
  before(async () => {
    const codes = { rules: RULES.map(({ code }) => code), repairable: repairableCodes() };
    tree = commandTree(await Config.load(ROOT), codes);
  });

  const problemsIn = (lines: readonly { place: string; line: string }[]): string[] =>
    lines.flatMap(({ place, line }) =>
      programCalls(line).flatMap((call) => {
        const problem = problemOf(call, tree);
        return problem === undefined ? [] : [`${place}: ${line}: ${problem}`];
      }),
    );

  it('names commands, flags and values that there are', () => {
    const lines = pages().flatMap(documentedLines);
    expect(lines.length).to.be.greaterThan(150);
    expect(problemsIn(lines)).to.deep.equal([]);
  });

  it('sees a command, a flag or a value that there is not', () => {
    const problems = [
      'ipamctl ipam chekc',
      'ipamctl check --snapshto x',
      'ipamctl show --by rack',
      'ipamctl ipam repair --only orphan-handle,leaked-address',
      'cat x | ipamctl ipam split 4 5 --name main > y',
      'ipamctl show --ip',
    ].map((line) => problemsIn([{ place: 'x', line }]));
    for (const problem of problems) expect(problem).to.have.lengthOf(1);
    const good =
      'KUBECONFIG=x npx ipamctl check -o r.json --fail-on=never && kubectl ipamctl show # all';
    expect(programCalls(good)).to.have.lengthOf(2);
    expect(problemsIn([{ place: 'x', line: good }])).to.deep.equal([]);
  });

  it('gives every example of a command in a form that it takes', async () => {
    const config = await Config.load(ROOT);
    const lines = config.commands.flatMap(({ id, examples = [] }) =>
      examples.map((example) => ({
        place: id,
        line: (typeof example === 'string' ? example : example.command).replaceAll(
          '<%= config.bin %>',
          'ipamctl',
        ),
      })),
    );
    expect(problemsIn(lines)).to.deep.equal([]);
  });

  it('links to files and headings that there are', () => {
    const broken = pages().flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(
        ([link, file = '', anchor]) => {
          const target = file === '' ? path : join(dirname(path), file);
          if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
          if (anchor === undefined || anchorsOf(read(target)).has(anchor)) return [];
          return [`${path}: ${link}`];
        },
      ),
    );
    expect(broken).to.deep.equal([]);
  });

  it('has a page for every command', () => {
    const index = read('docs/commands/README.md');
    const commands = tree.commands.filter(
      ({ words }) => words.length > 1 || words[0] === 'completion',
    );
    for (const { words, flags } of commands) {
      const name = `${words.join('-')}.md`;
      expect(index).to.include(`(${name})`);
      const page = read(`docs/commands/${name}`);
      for (const flag of flags) expect(page, name).to.include(`\`--${flag.name}`);
    }
  });

  it('describes every setting of a connection, and every variable', () => {
    const page = read('docs/configuration.md');
    for (const [name, { variables }] of Object.entries(CONFIG_FIELDS)) {
      expect(page).to.include(`\`${name}\``);
      for (const variable of variables) expect(page).to.include(variable);
    }
  });

  it('lists every exit status', () => {
    for (const { status } of Object.values(EXIT_STATUSES))
      expect(read('docs/exit-codes.md')).to.match(new RegExp(`^\\| ${status} `, 'm'));
  });

  it('leads to every page from the index', () => {
    const reached = new Set<string>();
    const visit = (path: string): void => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const [, file = ''] of read(path).matchAll(
        /\]\((?!https?:)([^)\s#]+\.md)(?:#[^)]*)?\)/g,
      ))
        visit(join(dirname(path), file));
    };
    visit('README.md');
    const lost = pages().filter(({ path }) => !reached.has(path));
    expect(lost.map(({ path }) => path)).to.deep.equal([]);
  });

  it('gives every runbook the same five parts', () => {
    const runbooks = pages().filter(({ path }) => /^docs\/runbooks\/(?!README)/.test(path));
    expect(runbooks).to.have.lengthOf(5);
    for (const { path, text } of runbooks) {
      expect(
        [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
        path,
      ).to.deep.equal([
        'What you see',
        'What it means',
        'What to run',
        'How to undo',
        'When to stop',
      ]);
      expect(
        consoleBlocks({ path, text }).some(({ marks }) => marks.has('fixture')),
        path,
      ).to.equal(true);
    }
  });
});
