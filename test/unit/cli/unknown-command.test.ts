import { expect } from 'chai';
import { unknownCommand, unknownCommandId } from '../../../src/cli/unknown-command.ts';

const IDS = ['check', 'show', 'ipam:check', 'ipam:show', 'datastore:migrate:lock'];

describe('cli/unknown-command', () => {
  it('names the nearest commands', () => {
    const error = unknownCommand('ipam:chekc', IDS);
    expect(error.message).to.equal('there is no command "ipam chekc"');
    expect(error.hint).to.match(/^did you mean ipam check/);
  });

  it('points at the list where nothing is near', () => {
    expect(unknownCommand('zzzzzzzzzzzz', IDS).hint).to.equal('ipamctl --help lists the commands');
  });

  it('names the argument where the words begin with a command', () => {
    const error = unknownCommand('ipam:show:198.18.0.1', IDS);
    expect(error.message).to.equal('ipam show takes no argument: 198.18.0.1');
    expect(error.status).to.equal(2);
  });

  it('finds the id in the error of oclif', () => {
    expect(unknownCommandId(new Error('command ipam:frob not found'))).to.equal('ipam:frob');
    expect(unknownCommandId(new Error('other'))).to.equal(undefined);
    expect(unknownCommandId('command x not found')).to.equal(undefined);
  });
});
