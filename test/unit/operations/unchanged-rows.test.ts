import { expect } from 'chai';
import type { Revision } from '../../../src/ipam/model/resource.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { runCheck } from '../../../src/operations/run-check.ts';
import {
  aBlock,
  aHandle,
  aNode,
  anAffinity,
  aPod,
  aPool,
  podSlot,
} from '../../support/builders.ts';
import { RevisionListingDatastore, contextOf } from '../../support/scripted-datastore.ts';
import { aConfig } from '../../support/settings-builders.ts';
import { CHECK_OPTIONS } from '../../support/writing-runs.ts';

const CIDR = '10.0.0.0/26';
const slotA = podSlot('shop/a', 'node-a');
const podA = aPod('shop/a', 'node-a', '10.0.0.1');
const base = [aPool('main', '10.0.0.0/16'), aConfig(), aNode('node-a'), aNode('node-b')];

describe('operations/unchanged-rows', () => {
  const orphans = Array.from({ length: 60 }, (_, n) => aHandle(`orphan-${n}`, {}));
  const changed = (row: Row): Row => ({ ...row, revision: '777' as Revision });

  it('takes rows of that revision for what they were, and reads none of them again', async () => {
    const datastore = new RevisionListingDatastore([...base, ...orphans]);
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 60 });
    const again = datastore.requests.slice(datastore.requests.indexOf('revisions IPAMHandle'));
    expect(again).to.deep.equal(['revisions IPAMHandle']);
  });

  it('reads again what has changed, has gone or has come', async () => {
    const [gone, used, ...rest] = orphans;
    const slot = { ...slotA, handle: 'orphan-1' };
    const datastore = new RevisionListingDatastore(
      [...base, aBlock(CIDR), anAffinity('node-a', CIDR), ...orphans],
      ({ verb }) => {
        if (verb !== 'revisions') return;
        const block = aBlock(CIDR, { 1: slot }, { revision: '778' as Revision });
        const handle = aHandle('orphan-1', { [CIDR]: 1 }, { revision: '777' as Revision });
        const [touched, ...others] = rest;
        datastore.set([
          ...[...base, block, anAffinity('node-a', CIDR), handle, podA],
          ...[...(touched ? [changed(touched)] : []), ...others],
        ]);
      },
    );
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect([gone, used]).to.have.length(2);
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 58 });
    expect(document.findings.map(({ subject }) => subject.handle)).to.include('orphan-2');
    const again = datastore.requests.slice(datastore.requests.indexOf('revisions IPAMHandle'));
    expect(again.filter((request) => request.startsWith('list'))).to.deep.equal([]);
    expect(again).to.include.members(['get IPAMHandle orphan-0', 'get IPAMHandle orphan-2']);
  });

  it('lists those of every kind on which the findings rest', async () => {
    const slots = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [n, { ...slotA, handle: `miscounted-${n}` }]),
    );
    const datastore = new RevisionListingDatastore([
      ...[...base, aBlock(CIDR, slots), anAffinity('node-a', CIDR)],
      ...Array.from({ length: 60 }, (_, n) => aHandle(`miscounted-${n}`, { [CIDR]: 2 })),
    ]);
    const only = ['handle-count-mismatch'];
    const { document } = await runCheck(contextOf(datastore), { ...CHECK_OPTIONS, only });
    expect(document.summary.byCode).to.deep.equal({ 'handle-count-mismatch': 60 });
    const first = datastore.requests.findIndex((request) => request.startsWith('revisions'));
    expect(datastore.requests.slice(first)).to.have.members([
      'revisions IPAMBlock',
      'revisions IPAMHandle',
    ]);
  });

  it('lists them for large kinds only', async () => {
    const datastore = new RevisionListingDatastore([...base, ...orphans.slice(0, 50)]);
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 50 });
    expect(datastore.requests.filter((request) => /revisions/.test(request))).to.be.empty;
  });
});
