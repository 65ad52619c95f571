import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FakeApiServer, startFakeApiServer } from '../support/fake-api-server.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolders } from '../support/temp-folder.ts';

describe('e2e/compiled-code', function () {
  this.timeout(60_000);
  const write = temporaryFolders();
  let server: FakeApiServer;

  before(async () => {
    server = await startFakeApiServer();
  });
  after(() => server.stop());

  /** When each file of the cache was written. */
  function writtenIn(cache: string): Readonly<Record<string, bigint>> {
    const names = globSync('**/*.cjs', { cwd: cache }).sort();
    return Object.fromEntries(
      names.map((name) => [name, statSync(join(cache, name), { bigint: true }).ctimeNs]),
    );
  }

  const COMMANDS: Readonly<Record<string, readonly string[]>> = {
    'ipam show': ['ipam', 'show'],
    'ipam show, JSON': ['ipam', 'show', '--format', 'json'],
    'ipam check': ['ipam', 'check', '--fail-on', 'never'],
    'ipam release, a plan': ['ipam', 'release', '--leaked', '--dry-run'],
  };
  for (const [name, args] of Object.entries(COMMANDS)) {
    it(`of a live run serves the next one: ${name}`, async () => {
      const [cache, folder] = [await write({}), await write({})];
      const kubeconfig = server.writeKubeconfig(folder);
      const run = () =>
        runCli([...args, '--kubeconfig', kubeconfig], { env: { XDG_CACHE_HOME: cache } });
      const first = await run();
      expect(first, first.stderr).to.include({ status: 0 });
      const written = writtenIn(cache);
      expect(Object.keys(written).join(' ')).to.include('kubernetes.cjs');
      await run();
      // Code that is refused is made anew and kept again.
      expect(writtenIn(cache)).to.deep.equal(written);
    });
  }
});
