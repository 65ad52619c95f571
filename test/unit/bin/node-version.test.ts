import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../../support/source-files.ts';

interface NodeVersion {
  readonly isRecentEnough: (version: string, range: string) => boolean;
}
const { isRecentEnough } = (await import(
  pathToFileURL(join(ROOT, 'bin', 'node-version.js')).href
)) as NodeVersion;

describe('bin/node-version', () => {
  for (const [version, range, answer] of [
    ['22.19.0', '>=22.19', true],
    ['22.18.9', '>=22.19', false],
    ['22.100.0', '>=22.19', true],
    ['24.0.0', '>=22.19', true],
    ['9.99.0', '>=22.19', false],
  ] as const) {
    it(`says ${answer ? 'yes' : 'no'} to ${version} for ${range}`, () => {
      expect(isRecentEnough(version, range)).to.equal(answer);
    });
  }
});

describe('bin/run', () => {
  let root: string;

  /** An installation without dependencies and build. */
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ipamctl-test-bin-'));
    cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true });
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const start = (engines: string, ...args: string[]) => {
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ type: 'module', version: '1.2.3', engines: { node: engines } }),
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'bin', 'run.js'), ...args],
      { encoding: 'utf8' },
    );
    return { status, stdout, stderr };
  };

  it('tells its version without a build', () => {
    const run = start('>=999', '--version');
    expect(run).to.include({ status: 0, stderr: '' });
    expect(run.stdout).to.match(/^ipamctl\/1\.2\.3 \S+ node-v\S+\n$/);
  });

  it('says in one line which Node is needed', () => {
    const stderr = `ipamctl: Node.js >=999 is needed; this is ${process.version}\n`;
    expect(start('>=999', 'check')).to.deep.equal({ status: 70, stdout: '', stderr });
  });

  it('says in one line that it is not built', () => {
    const stderr = 'ipamctl: it is not built yet; run npm run build\n';
    expect(start('>=22.19', 'check')).to.deep.equal({ status: 70, stdout: '', stderr });
  });
});
