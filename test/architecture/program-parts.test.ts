import { expect } from 'chai';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/source-files.ts';

interface ProgramParts {
  readonly assertApart: (inputs: Readonly<Record<string, readonly string[]>>) => void;
}
const { assertApart } = (await import(
  pathToFileURL(join(ROOT, 'scripts', 'program-parts.mjs')).href
)) as ProgramParts;

describe('scripts/program-parts', () => {
  it('lets no module be in two parts, where its classes would be two', () => {
    const inputs = {
      cli: ['entry.ts', 'src/cli/main.ts', 'src/errors/usage-error.ts'],
      commands: ['entry.ts', 'src/commands/ipam/split.ts'],
    };
    expect(() => assertApart(inputs)).not.to.throw();
    const overlapping = { ...inputs, etcd: ['entry.ts', 'src/errors/usage-error.ts'] };
    expect(() => assertApart(overlapping)).to.throw(
      'the parts of the program overlap: src/errors/usage-error.ts is in cli and etcd',
    );
  });
});
