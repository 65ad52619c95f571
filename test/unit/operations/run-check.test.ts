import { expect } from 'chai';
import { RULES } from '../../../src/check/registry.ts';
import { type CheckOptions, runCheck } from '../../../src/operations/run-check.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';
import { aPool } from '../../support/builders.ts';
import { CHECK_OPTIONS } from '../../support/writing-runs.ts';

describe('operations/run-check', () => {
  async function judgedBy(options: Partial<CheckOptions>): Promise<readonly string[] | undefined> {
    const context = contextOf(new ScriptedDatastore([aPool('main', '10.0.0.0/24')]));
    return (await runCheck(context, { ...CHECK_OPTIONS, ...options })).document.judgedCodes;
  }

  it('tells which rules it judged by when not all were asked for', async () => {
    expect(await judgedBy({})).to.equal(undefined);
    expect(await judgedBy({ only: ['orphan-handle', 'leaked-address'] })).to.have.members([
      'orphan-handle',
      'leaked-address',
    ]);
    const rest = await judgedBy({ skip: ['orphan-handle'] });
    expect(rest)
      .to.have.length(RULES.length - 1)
      .and.to.not.include('orphan-handle');
  });
});
