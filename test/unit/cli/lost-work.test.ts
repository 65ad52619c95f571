import { expect } from 'chai';
import { spawnSync } from 'node:child_process';

const MODULE = new URL('../../../src/cli/lost-work.ts', import.meta.url).href;

const run = (work: string): { status: number | null; stderr: string } => {
  const script = `const { watchForLostWork } = await import(${JSON.stringify(MODULE)});
const work = async () => { const end = watchForLostWork(); try { ${work} } finally { end(); } };
void work().catch(() => undefined);`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
};

describe('cli/lost-work', () => {
  it('tells work that nothing goes on with, by a status and a word', () => {
    const { status, stderr } = run('await new Promise(() => undefined);');
    expect(status).to.equal(70);
    expect(stderr).to.equal(
      'Error: it ended before it was done; this is a bug of ipamctl, please report it\n',
    );
  });

  for (const [what, work] of [
    ['is done', 'await undefined;'],
    ['waits for a timer', 'await new Promise((resolve) => setTimeout(resolve, 20));'],
    ['fails', "throw new Error('no');"],
  ] as const) {
    it(`says nothing of work that ${what}`, () => {
      expect(run(work)).to.include({ status: 0, stderr: '' });
    });
  }
});
