import { expect } from 'chai';
import { programName } from '../../../src/cli/program-name.ts';

describe('cli/program-name', () => {
  for (const [path, name] of [
    ['/usr/local/bin/kubectl-ipamctl', 'kubectl ipamctl'],
    ['/opt/ipamctl/bin/kubectl-ipamctl.js', 'kubectl ipamctl'],
    ['/opt/ipamctl/bin/run.js', 'ipamctl'],
    ['/usr/local/bin/ipamctl', 'ipamctl'],
    ['/home/kubectl-ipamctl/run.js', 'ipamctl'],
    [undefined, 'ipamctl'],
  ] as const) {
    it(`calls ${path ?? 'an unknown file'} ${name}`, () => {
      expect(programName(path)).to.equal(name);
    });
  }
});
