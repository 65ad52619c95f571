import { expect } from 'chai';
import { planExport } from '../../../../src/operations/export-datastore.ts';
import {
  affinityEntry,
  blockEntry,
  contextOver,
  type Entry,
  etcdSource,
  handleEntry,
  LOCKED,
  nodeEntry,
  objectEntry,
} from '../../../support/export-world.ts';

const OPTIONS = { skipNodes: [], isMismatchAllowed: false };

/** Sources that hold something of IPAM, or of its pools. */
const FULL: readonly (readonly [string, Entry])[] = [
  ['a pool', objectEntry('ippools', 'IPPool', 'main', { cidr: '10.0.0.0/16' })],
  ['a block', blockEntry('10.0.0.0/30', null)],
  ['a handle', handleEntry('web', { '10.0.0.0/30': 1 })],
  ['an affinity', affinityEntry('host/node-a', '10.0.0.0/30')],
];

async function told(entries: readonly Entry[]) {
  const warnings: string[] = [];
  const context = {
    ...contextOver(etcdSource([LOCKED, nodeEntry('node-a', 'node-a'), ...entries])),
    progress: { step: () => undefined, warn: (text: string) => warnings.push(text) },
  };
  const { plan } = await planExport(context, OPTIONS);
  return { ...plan, warnings };
}

describe('operations/export of an empty source', () => {
  it('is done, and says that there is nothing of IPAM', async () => {
    const { verdict, document, warnings } = await told([]);
    expect(verdict).to.equal('ok');
    expect(document.notes).to.deep.equal(warnings);
    expect(warnings.join()).to.match(/neither pools nor IPAM data.*is meant/);
  });

  for (const [what, entry] of FULL)
    it(`says nothing of the sort where there is ${what}`, async () => {
      const { warnings, document } = await told([entry]);
      expect(warnings).to.deep.equal([]);
      expect(document.notes.join()).to.not.include('is meant');
    });
});
