import { expect } from 'chai';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/source-files.ts';

interface CodeCache {
  readonly cacheName: (args: readonly string[], ids: readonly string[]) => string;
}
const { cacheName } = (await import(
  pathToFileURL(join(ROOT, 'bin', 'code-cache.js')).href
)) as CodeCache;

describe('bin/code-cache', () => {
  const ids = ['ipam:show', 'ipam:check', 'datastore:migrate:lock', 'completion'];

  for (const [line, name] of [
    ['ipam show --snapshot x', 'ipam:show'],
    ['ipam:show', 'ipam:show'],
    ['datastore migrate lock', 'datastore:migrate:lock'],
    ['completion bash', 'completion'],
    ['ipam show --help', 'help'],
    ['ipam', 'help'],
    ['../../elsewhere', 'help'],
    ['', 'help'],
  ] as const) {
    it(`keeps the code of "${line}" under ${name}`, () => {
      expect(cacheName(line.split(' '), ids)).to.equal(name);
    });
  }
});
