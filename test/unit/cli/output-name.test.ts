import { expect } from 'chai';
import { warnOfFormatName } from '../../../src/cli/output-name.ts';

function warningOf(path: string | undefined): string | undefined {
  const told: string[] = [];
  warnOfFormatName(path, { warn: (text) => told.push(text) });
  return told[0];
}

describe('cli/output-name', () => {
  it('warns of a file that has the name of a format', () => {
    expect(warningOf('json')).to.contain('one called json').and.to.contain('--format json says');
    expect(warningOf('wide')).to.contain('one called wide').and.to.contain('--format says');
  });

  it('says nothing of other names', () => {
    for (const path of ['report.json', './json', '-', undefined])
      expect(warningOf(path)).to.equal(undefined);
  });
});
