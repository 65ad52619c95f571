import { expect } from 'chai';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/source-files.ts';

type Commands = Readonly<Record<string, { readonly aliases?: readonly string[] }>>;
interface CacheName {
  readonly cacheName: (args: readonly string[], commands: Commands) => string;
}
const { cacheName } = (await import(
  pathToFileURL(join(ROOT, 'bin', 'cache-name.js')).href
)) as CacheName;

const COMMANDS: Commands = {
  'ipam:show': { aliases: ['show'] },
  'ipam:check': { aliases: ['check'] },
  'datastore:migrate:lock': { aliases: [] },
  completion: {},
};

describe('bin/cache-name', () => {
  for (const [line, name] of [
    ['ipam show --snapshot x', 'ipam-show'],
    ['ipam:show', 'ipam-show'],
    ['show --snapshot x', 'ipam-show'],
    ['datastore migrate lock', 'datastore-migrate-lock'],
    ['completion bash', 'completion'],
    ['ipam show --help', 'help'],
    ['ipam show -h', 'help'],
    ['help ipam show', 'help'],
    ['ipam', 'help'],
    ['toString', 'help'],
    ['../../elsewhere', 'help'],
    ['', 'help'],
  ] as const) {
    it(`calls the code of "${line}" ${name}`, () => {
      expect(cacheName(line.split(' '), COMMANDS)).to.equal(name);
    });
  }
});
