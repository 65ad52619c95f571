import { expect } from 'chai';
import { type Listing, StreamRestart } from '../../../src/datastore/datastore.ts';
import type { ResourceKind } from '../../../src/ipam/model/resource.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import type { Revision } from '../../../src/ipam/model/resource.ts';
import { runCheck } from '../../../src/operations/run-check.ts';
import {
  aBlock,
  aHandle,
  aNode,
  aPod,
  aPool,
  aService,
  anAffinity,
  podSlot,
  tunnelSlot,
  withRows,
} from '../../support/builders.ts';
import { aConfig } from '../../support/settings-builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';
import { CHECK_OPTIONS } from '../../support/writing-runs.ts';

const CIDR = '10.0.0.0/26';
const later = (row: Row): Row => ({ ...row, revision: '900' as Revision });

const pool = [aPool('main', '10.0.0.0/16'), aConfig()];
const nodes = [aNode('node-a'), aNode('node-b')];
const slotA = podSlot('shop/a', 'node-a');
const slotB = podSlot('shop/b', 'node-a');
const podA = aPod('shop/a', 'node-a', '10.0.0.1');
const podB = aPod('shop/b', 'node-a', '10.0.0.2');
const base = [...pool, ...nodes];
const oneSlot = withRows(aBlock(CIDR, { 1: slotA }));
const twoSlots = withRows(aBlock(CIDR, { 1: slotA, 2: slotB }, { revision: '900' as Revision }));
const shared = { ...slotA, handle: 'shared' };

/** Two healthy moments of one cluster; the second one begins with the list of a kind. */
interface Interleaving {
  readonly before: readonly Row[];
  readonly after: readonly Row[];
  readonly at: ResourceKind;
}

/** What each rule would report if the two moments were taken for one. */
const interleavings: Record<string, Interleaving> = {
  'unallocated-address': {
    before: [...oneSlot, podA],
    after: [...twoSlots, podA, podB],
    at: 'Pod',
  },
  'orphan-handle': {
    before: [...oneSlot, podA],
    after: [...twoSlots, podA, podB],
    at: 'IPAMHandle',
  },
  'missing-handle': {
    before: [...twoSlots, podA, podB],
    after: [...oneSlot.map(later), podA],
    at: 'IPAMHandle',
  },
  'handle-count-mismatch': {
    before: [...withRows(aBlock(CIDR, { 1: shared })), aPod('shop/a', 'node-a', '10.0.0.1')],
    after: [
      ...withRows(aBlock(CIDR, { 1: shared, 2: shared })).map(later),
      aPod('shop/a', 'node-a', ['10.0.0.1', '10.0.0.2']),
    ],
    at: 'IPAMHandle',
  },
  'affinity-without-block': {
    before: [],
    after: [aBlock(CIDR), anAffinity('node-a', CIDR)],
    at: 'BlockAffinity',
  },
  'block-without-affinity': {
    before: [aBlock(CIDR), anAffinity('node-a', CIDR)],
    after: [],
    at: 'BlockAffinity',
  },
  'conflicting-affinity': {
    before: [aBlock(CIDR), anAffinity('node-a', CIDR)],
    after: [
      aBlock(CIDR, {}, { affinity: 'host:node-b', revision: '900' as Revision }),
      anAffinity('node-b', CIDR),
    ],
    at: 'BlockAffinity',
  },
  'affinity-of-missing-node': {
    before: [
      aBlock(CIDR, {}, { affinity: 'host:node-c' }),
      anAffinity('node-c', CIDR),
      aNode('node-c'),
    ],
    after: [],
    at: 'Node',
  },
  'address-conflict': {
    before: [
      ...withRows(aBlock(CIDR, { 1: tunnelSlot('node-c') }, { affinity: 'host:node-c' })),
      aNode('node-c', { vxlan: '10.0.0.1' }),
    ],
    after: [
      ...withRows(
        aBlock(CIDR, { 1: slotA, 3: tunnelSlot('node-c') }, { affinity: 'host:node-c' }),
      ).map(later),
      aNode('node-c', { vxlan: '10.0.0.3' }),
      podA,
    ],
    at: 'Pod',
  },
  'leaked-address': {
    before: [...twoSlots, podA, podB],
    after: [...oneSlot.map(later), podA],
    at: 'Pod',
  },
  'node-attribute-mismatch': {
    before: [...oneSlot, podA],
    after: [
      ...withRows(aBlock(CIDR, { 1: podSlot('shop/a', 'node-b') })).map(later),
      aPod('shop/a', 'node-b', '10.0.0.1'),
    ],
    at: 'Pod',
  },
  'address-outside-pools': {
    before: [aPool('old', '10.9.0.0/16', { disabled: true })],
    after: [
      aPool('old', '10.9.0.0/16', { disabled: true }),
      ...withRows(aBlock('10.9.0.0/26', { 1: slotA })),
      aPod('shop/a', 'node-a', '10.9.0.1'),
    ],
    at: 'Pod',
  },
};

/** Its second list of handles breaks off behind the first rows. */
class CutDatastore extends ScriptedDatastore {
  override async list(kind: ResourceKind): Promise<Listing> {
    const listing = await super.list(kind);
    const lists = this.requests.filter((request) => request === 'list IPAMHandle').length;
    return kind === 'IPAMHandle' && lists === 2 ? { ...listing, rows: cut(listing.rows) } : listing;
  }
}

async function* cut(rows: Listing['rows']): AsyncGenerator<readonly Row[]> {
  for await (const batch of rows) {
    yield batch;
    throw new StreamRestart(new Error('cut'));
  }
}

describe('operations/run-check under churn', () => {
  for (const [code, { before, after, at }] of Object.entries(interleavings)) {
    it(`does not report ${code} that two moments feign`, async () => {
      const datastore = new ScriptedDatastore([...base, ...before], ({ verb, kind, nth }) => {
        if (verb === 'list' && kind === at && nth === 1) datastore.set([...base, ...after]);
      });
      const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
      expect(document.findings).to.deep.equal([]);
    });
  }

  it('would report each of them, were the moments not read again', async () => {
    const feigned: string[] = [];
    for (const [code, { before, after, at }] of Object.entries(interleavings)) {
      const datastore = new ScriptedDatastore([...base, ...before], ({ kind }) => {
        if (kind === at) datastore.set([...base, ...after]);
      });
      Object.assign(datastore, { capabilities: { live: false, writable: false } });
      const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
      if (document.summary.byCode[code]) feigned.push(code);
    }
    expect(feigned).to.deep.equal(Object.keys(interleavings));
  });

  const damage: Record<string, readonly Row[]> = {
    'unallocated-address': [...oneSlot, podA, podB],
    'orphan-handle': [...oneSlot, podA, aHandle('left-over', {})],
    'missing-handle': [aBlock(CIDR, { 1: slotA }), anAffinity('node-a', CIDR), podA],
    'handle-count-mismatch': [
      aBlock(CIDR, { 1: slotA }),
      anAffinity('node-a', CIDR),
      aHandle(slotA.handle ?? '', { [CIDR]: 2 }),
      podA,
    ],
    'affinity-without-block': [anAffinity('node-a', CIDR)],
    'block-without-affinity': [aBlock(CIDR)],
    'conflicting-affinity': [aBlock(CIDR), anAffinity('node-a', CIDR), anAffinity('node-b', CIDR)],
    'affinity-of-missing-node': [
      aBlock(CIDR, {}, { affinity: 'host:node-c' }),
      anAffinity('node-c', CIDR),
    ],
    'address-conflict': [...oneSlot, podA, aPod('shop/twin', 'node-a', '10.0.0.1')],
    'leaked-address': [...oneSlot],
    'node-attribute-mismatch': [...oneSlot, aPod('shop/a', 'node-b', '10.0.0.1')],
  };
  for (const [code, rows] of Object.entries(damage)) {
    it(`reports ${code} that is really there`, async () => {
      const { document } = await runCheck(
        contextOf(new ScriptedDatastore([...base, ...rows])),
        CHECK_OPTIONS,
      );
      expect(document.summary.byCode).to.deep.equal({ [code]: 1 });
    });
  }

  it('lists a kind once more when more than fifty of its rows are in doubt', async () => {
    const orphans = Array.from({ length: 60 }, (_, n) => aHandle(`orphan-${n}`, {}));
    const datastore = new ScriptedDatastore([...base, ...orphans]);
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 60 });
    expect(datastore.requests.filter((request) => request === 'list IPAMHandle')).to.have.length(2);
    expect(
      datastore.requests.filter((request) => request.startsWith('get IPAMHandle')),
    ).to.have.length(0);
  });

  it('forgets the rows of such a list when it is cut, and lists the kind again', async () => {
    const orphans = Array.from({ length: 60 }, (_, n) => aHandle(`orphan-${n}`, {}));
    const datastore = new CutDatastore([...base, ...orphans], ({ verb, kind, nth }) => {
      if (verb === 'list' && kind === 'IPAMHandle' && nth === 3)
        datastore.set([...base, ...orphans.slice(1)]);
    });
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 59 });
    expect(datastore.requests.filter((request) => request === 'list IPAMHandle')).to.have.length(3);
  });

  it('drops what keeps changing between looks', async () => {
    let revision = 1;
    const datastore = new ScriptedDatastore([...base, aHandle('busy', {})], ({ verb, kind }) => {
      if (verb === 'get' && kind === 'IPAMHandle') {
        datastore.set([...base, aHandle('busy', {}, { revision: String(++revision) as Revision })]);
      }
    });
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.findings).to.deep.equal([]);
  });

  it('stands by a row that changed once and then stayed', async () => {
    const datastore = new ScriptedDatastore(
      [...base, aHandle('settled', {})],
      ({ verb, kind, nth }) => {
        if (verb === 'get' && kind === 'IPAMHandle' && nth === 1) {
          datastore.set([...base, aHandle('settled', {}, { revision: '777' as Revision })]);
        }
      },
    );
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 1 });
  });

  it('keeps with --recheck only what both looks show', async () => {
    const datastore = new ScriptedDatastore(
      [...base, ...oneSlot, aHandle('stays', {})],
      ({ verb, kind, nth }) => {
        if (verb === 'list' && kind === 'IPPool' && nth === 2)
          datastore.set([...base, ...oneSlot, podA, aHandle('stays', {})]);
      },
    );
    const { document } = await runCheck(contextOf(datastore), {
      ...CHECK_OPTIONS,
      recheckMs: 60_000,
    });
    expect(document.summary.byCode).to.deep.equal({ 'orphan-handle': 1 });
  });

  it('keeps a Service whose address another one publishes now out of the leaks while lists are apart', async () => {
    const slot = {
      handle: 'lb-x',
      owner: { namespace: 'edge', service: 'x', type: 'LoadBalancer' },
    };
    const datastore = new ScriptedDatastore([
      ...base,
      ...withRows(aBlock(CIDR, { 1: slot })),
      aService('edge/x'),
    ]);
    const { document } = await runCheck(contextOf(datastore), CHECK_OPTIONS);
    expect(document.findings.filter(({ code }) => code === 'leaked-address')).to.deep.equal([]);
  });
});
