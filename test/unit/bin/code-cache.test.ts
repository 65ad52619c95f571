import { expect } from 'chai';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { ROOT } from '../../support/source-files.ts';
import { temporaryFolders } from '../../support/temp-folder.ts';

interface Commands {
  readonly [id: string]: { readonly aliases?: readonly string[] };
}
type Files = ReadonlyMap<string, { readonly script: Script }>;
interface CodeCache {
  readonly codeCache: (
    args: readonly string[],
    commands: Commands,
    dist: string,
  ) => { codeOf(name: string): Buffer | undefined; keep(files: Files): void };
}
const { codeCache } = (await import(
  pathToFileURL(join(ROOT, 'bin', 'code-cache.js')).href
)) as CodeCache;

const COMMANDS: Commands = { 'ipam:show': {} };

describe('bin/code-cache', () => {
  const TEXT = '(function (a) { return a + 1; })';
  const write = temporaryFolders();
  let dist: string;
  let kept: string;
  const before = {
    cache: process.env['XDG_CACHE_HOME'],
    status: process.exitCode,
  };

  beforeEach(async () => {
    const home = await write({});
    process.env['XDG_CACHE_HOME'] = home;
    kept = join(home, 'ipamctl', 'code', 'ipam-show');
    dist = await write({ 'a.cjs': TEXT, 'b.cjs': TEXT });
  });
  afterEach(() => {
    if (before.cache === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = before.cache;
    process.exitCode = before.status;
  });

  /** A run that loads files and ends with a status. @returns whether there was code for each. */
  function run(names: readonly string[], status?: number): boolean[] {
    const cache = codeCache(['ipam', 'show'], COMMANDS, dist);
    const files = new Map<string, { script: Script }>();
    const found: boolean[] = [];
    for (const name of names) {
      const cachedData = cache.codeOf(name);
      const script = new Script(readFileSync(join(dist, name), 'utf8'), { cachedData });
      expect((script.runInThisContext() as (a: number) => number)(1)).to.equal(2);
      files.set(name, { script });
      found.push(cachedData !== undefined);
    }
    process.exitCode = status;
    cache.keep(files);
    process.exitCode = before.status;
    return found;
  }

  it('keeps what a run compiled for the next one', () => {
    expect(run(['a.cjs'])).to.deep.equal([false]);
    expect(run(['a.cjs'])).to.deep.equal([true]);
    expect(readdirSync(kept)).to.deep.equal(['a.cjs']);
  });

  it('keeps all anew when a file comes along, and nothing when none does', () => {
    run(['a.cjs']);
    const path = join(kept, 'a.cjs');
    utimesSync(path, 1, 1);
    expect(run(['a.cjs'])).to.deep.equal([true]);
    expect(statSync(path).mtimeMs).to.equal(1000);
    expect(run(['a.cjs', 'b.cjs'])).to.deep.equal([true, false]);
    expect(statSync(path).mtimeMs).to.be.greaterThan(1000);
    expect(run(['a.cjs', 'b.cjs'])).to.deep.equal([true, true]);
  });

  it('takes no code of another text, though it is as long', () => {
    run(['a.cjs']);
    writeFileSync(join(dist, 'a.cjs'), TEXT.replace('a + 1', '1 + a'));
    expect(run(['a.cjs'])).to.deep.equal([false]);
    expect(run(['a.cjs'])).to.deep.equal([true]);
  });

  it('takes no code of another path or another Node', () => {
    run(['a.cjs']);
    const path = join(kept, 'a.cjs');
    const whole = readFileSync(path, 'latin1');
    for (const was of [dist, process.version]) {
      expect(whole).to.contain(was);
      writeFileSync(path, whole.replace(was, was.replace(/.$/, '?')), 'latin1');
      expect(run(['a.cjs']), was).to.deep.equal([false]);
      expect(run(['a.cjs']), was).to.deep.equal([true]);
    }
    writeFileSync(path, whole.slice(0, 10), 'latin1');
    expect(run(['a.cjs'])).to.deep.equal([false]);
  });

  it('takes no code that is damaged, which would end the process', () => {
    run(['a.cjs']);
    const path = join(kept, 'a.cjs');
    const whole = readFileSync(path);
    for (const at of [whole.length - 1, whole.length >> 1, (whole.length * 3) >> 2]) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at);
      writeFileSync(path, damaged);
      expect(run(['a.cjs']), `${at}`).to.deep.equal([false]);
      expect(run(['a.cjs']), `${at}`).to.deep.equal([true]);
    }
    writeFileSync(path, whole.subarray(0, whole.length - 8));
    expect(run(['a.cjs'])).to.deep.equal([false]);
  });

  it('keeps nothing of a run that ended early', () => {
    for (const status of [2, 8, 70, 130]) {
      run(['a.cjs'], status);
      expect(existsSync(join(kept, 'a.cjs')), `${status}`).to.equal(false);
    }
    run(['a.cjs'], 1);
    expect(existsSync(join(kept, 'a.cjs'))).to.equal(true);
  });

  it('neither takes nor keeps code where others may write', () => {
    run(['a.cjs']);
    chmodSync(kept, 0o777);
    expect(run(['a.cjs'])).to.deep.equal([false]);
    run(['b.cjs']);
    expect(readdirSync(kept)).to.deep.equal(['a.cjs']);
  });

  it('leaves nothing behind where it cannot write', () => {
    run(['a.cjs']);
    const cache = codeCache(['ipam', 'show'], COMMANDS, dist);
    cache.codeOf('a.cjs');
    // A name that a folder has.
    const script = new Script(TEXT);
    expect(() => cache.keep(new Map([['.', { script }]]))).not.to.throw();
    expect(readdirSync(kept)).to.deep.equal(['a.cjs']);
  });
});
