import { expect } from 'chai';
import { unknownCommand, unknownCommandId } from '../../../src/cli/unknown-command.ts';

const COMMANDS = {
  'ipam:check': { aliases: ['check'], flags: {} },
  'ipam:show': { aliases: ['show'], flags: { ip: {} } },
  'datastore:migrate:lock': { flags: {} },
  'datastore:migrate:unlock': { flags: {} },
  'datastore:migrate:rename-node': { flags: {} },
};

const hintOf = (id: string) => unknownCommand(id, COMMANDS).hint;

describe('cli/unknown-command', () => {
  it('names the nearest commands, short forms included', () => {
    const error = unknownCommand('ipam:chekc', COMMANDS);
    expect(error.message).to.equal('there is no command "ipam chekc"');
    expect(error.hint).to.match(/^did you mean ipam check/);
    expect(hintOf('sho')).to.equal('did you mean show?');
    expect(hintOf('lock')).to.match(/^did you mean datastore migrate lock/);
    expect(hintOf('rename')).to.equal('did you mean datastore migrate rename-node?');
  });

  it('points at the list where nothing is near', () => {
    expect(hintOf('zzzzzzzzzzzz')).to.equal('ipamctl --help lists the commands');
  });

  it('suggests no command of which one word alone is alike', () => {
    expect(unknownCommand('get:nodes', COMMANDS).details['near']).to.deep.equal([]);
    expect(unknownCommand('drain:node', COMMANDS).details['near']).to.deep.equal([]);
  });

  it('says where to go with what calicoctl and kubectl do', () => {
    for (const id of ['get:nodes', 'apply', 'node:status'])
      expect(hintOf(id)).to.contain('use kubectl or calicoctl');
  });

  it('names the argument where the words begin with a command, or a short form', () => {
    for (const [id, name] of [
      ['ipam:show:foo', 'ipam show'],
      ['check:foo', 'check'],
    ] as const) {
      const error = unknownCommand(id, COMMANDS);
      expect(error.message).to.equal(`${name} takes no argument: foo`);
      expect(error.hint).to.equal(`ipamctl ${name} --help shows what it takes`);
      expect(error.status).to.equal(2);
    }
  });

  it('names the flag for an address, of either version', () => {
    for (const address of ['198.18.0.1', '2001:db8::1', '::1']) {
      const error = unknownCommand(`show:${address}`, COMMANDS);
      expect(error.message).to.equal(`show takes no argument: ${address}`);
      expect(error.hint).to.equal(`for an address use --ip: ipamctl show --ip ${address}`);
    }
    expect(hintOf('check:198.18.0.1')).to.equal('ipamctl check --help shows what it takes');
  });

  it('finds the id in the errors of oclif', () => {
    expect(unknownCommandId(new Error('command ipam:frob not found'))).to.equal('ipam:frob');
    expect(unknownCommandId(new Error('Command frob not found.'))).to.equal('frob');
    expect(unknownCommandId(new Error('other'))).to.equal(undefined);
    expect(unknownCommandId('command x not found')).to.equal(undefined);
  });
});
