import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CommandShape, CommandTree } from '../../../../src/cli/completion/command-tree.ts';
import { CODES, manifestTree } from '../../../support/shell-completion.ts';
import { ROOT } from '../../../support/source-files.ts';

const { topics } = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    oclif: { topics: Readonly<Record<string, { description: string }>> };
  }
).oclif;

describe('cli/completion/command-tree', () => {
  let tree: CommandTree;
  before(async () => {
    tree = await manifestTree();
  });

  const command = (words: string): CommandShape =>
    tree.commands.find((candidate) => candidate.words.join(' ') === words)!;
  const valueOf = (words: string, name: string): unknown =>
    command(words).flags.find((flag) => flag.name === name)!.value;

  it('has the short forms of commands beside the commands', () => {
    expect(command('check').flags).to.deep.equal(command('ipam check').flags);
  });

  it('says what every topic leads to', () => {
    const topic = tree.topics.find(({ words }) => words.join(' ') === 'datastore');
    expect(topic?.children).to.deep.equal([
      { word: 'migrate', summary: topics['datastore:migrate']?.description },
      { word: 'snapshot', summary: command('datastore snapshot').summary },
    ]);
  });

  it('takes a value that is spelled out for a choice, and names of values for none', () => {
    expect(valueOf('ipam configure', 'kubevirt-ip-persistence')).to.deep.equal({
      kind: 'choice',
      choices: ['Enabled', 'Disabled'],
      isList: false,
    });
    expect(valueOf('ipam assign', 'pool')).to.deep.equal({ kind: 'free' });
    expect(valueOf('ipam gc', 'metrics-listen')).to.deep.equal({ kind: 'free' });
  });

  it('offers for repair only what can be repaired', () => {
    expect(valueOf('ipam repair', 'only')).to.deep.include({ choices: CODES.repairable });
    expect(valueOf('ipam check', 'only')).to.deep.include({ choices: CODES.rules, isList: true });
    expect(valueOf('ipam check', 'explain')).to.deep.include({ isList: false });
  });

  it('knows files among flags and arguments', () => {
    expect(valueOf('ipam check', 'snapshot')).to.deep.equal({ kind: 'file' });
    expect(command('ipam restore').args).to.deep.equal([{ name: 'FILE', value: { kind: 'file' } }]);
  });

  it('knows flags without a value', () => {
    expect(valueOf('ipam check', 'quiet')).to.equal(undefined);
  });
});
