import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../support/source-files.ts';

const run = promisify(execFile);

describe('e2e/examples/use-as-library', function () {
  this.timeout(30_000);

  it('checks, assigns and releases as it says', async () => {
    const { stdout } = await run(process.execPath, [join(ROOT, 'examples', 'use-as-library.ts')]);
    expect(stdout).to.match(/^The check finds \d+ problems/);
    expect(stdout.match(/^Assigned 10\.32\.\S+ to handle example-1\.$/gm)).to.have.length(2);
    expect(stdout).to.contain('Another handle cannot have it.');
    expect(stdout).to.match(/Released what the handle held\.\n$/);
  });
});
