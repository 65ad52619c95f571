import { expect } from 'chai';
import type { PoolRow } from '../../../src/ipam/model/pool.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { planAssign } from '../../../src/operations/assign-address.ts';
import {
  type AssignFlags,
  type AssignOptions,
  assignOptionsFrom,
} from '../../../src/operations/assign/assign-options.ts';
import {
  aBlock,
  aNode,
  aPool,
  coolingSlot,
  ip,
  podSlot,
  windowsSlot,
  withRows,
} from '../../support/builders.ts';
import { RowDatastore, type RowDatastoreOptions } from '../../support/row-datastore.ts';
import { aClusterInformation, aConfig } from '../../support/settings-builders.ts';
import { contextOf } from '../../support/scripted-datastore.ts';
import { failureOf } from '../../support/temp-folder.ts';

const SMALL: Partial<PoolRow> = { blockSize: 30 };

function datastoreOf(rows: readonly Row[] = [], more: RowDatastoreOptions = {}): RowDatastore {
  const pools = [aPool('main', '10.0.0.0/29', SMALL), aPool('six', 'fd00::/120')];
  return new RowDatastore([aClusterInformation(), aNode('node-a'), ...pools, ...rows], more);
}

const OPTIONS: AssignOptions = {
  address: undefined,
  count: 1,
  family: undefined,
  host: 'node-a',
  use: 'Workload',
  handle: 'mine',
  attributes: {},
  pools: [],
  isMismatchAllowed: false,
  isRehearsed: false,
  isHandleNew: false,
};

async function assign(datastore: RowDatastore, options: Partial<AssignOptions> = {}) {
  const mutation = await planAssign(contextOf(datastore), { ...OPTIONS, ...options });
  const outcome = options.isRehearsed ? mutation.plan : await mutation.apply();
  const items = outcome.document.items.map((item) => ({
    name: item.subject.name,
    result: 'result' in item ? item.result : 'planned',
  }));
  return { ...outcome, items };
}

describe('operations/assign-address', () => {
  it('assigns free addresses and says which, with node and time as attributes', async () => {
    const datastore = datastoreOf();
    const { verdict, items, document } = await assign(datastore, {
      count: 2,
      attributes: { pod: 'cart-0', node: 'other' },
    });
    expect(verdict).to.equal('ok');
    expect(items.map(({ result }) => result)).to.deep.equal(['applied', 'applied']);
    expect(document.items[0]?.subject).to.include({ node: 'node-a', handle: 'mine' });
    const [block] = datastore.all('IPAMBlock');
    expect(block && 'attributes' in block && block.attributes).to.deep.equal([
      {
        handle: 'mine',
        owner: { node: 'other', timestamp: '2026-11-29 12:00:00 +0000 UTC', pod: 'cart-0' },
      },
    ]);
    expect(document.notes.join()).to.contain('Handle: mine');
  });

  it('tells no handle when nothing was assigned', async () => {
    const block = aBlock('10.0.0.0/30', {}, { allocations: [0, null, null, null] });
    const { document, verdict } = await assign(datastoreOf([block]), { address: ip('10.0.0.1') });
    expect(verdict).to.equal('data');
    expect(document.items[0]).to.include({ result: 'failed' });
    expect(document.notes.join()).to.not.contain('Handle:');
  });

  it('says which addresses the next clean-up takes, since nothing can carry them', async () => {
    const noteOf = async (attributes: Record<string, string>, more: Partial<AssignOptions> = {}) =>
      (await assign(datastoreOf(), { attributes, ...more })).document.notes.join();
    const isWarned = 'counts as leaked after five minutes';
    expect(await noteOf({})).to.contain(isWarned);
    expect(await noteOf({ note: 'vip' }, { isRehearsed: true })).to.contain(isWarned);
    expect(await noteOf({ pod: 'cart-0' })).to.contain(isWarned);
    expect(await noteOf({ pod: 'cart-0', namespace: 'shop' })).to.not.contain(isWarned);
    expect(await noteOf({ 'vmi-name': 'vm', namespace: 'shop' })).to.not.contain(isWarned);
    expect(await noteOf({ type: 'printer' })).to.not.contain(isWarned);
    expect(await noteOf({}, { use: 'Tunnel' })).to.not.contain(isWarned);
  });

  it('ends with partial when it gets fewer than asked for, none included', async () => {
    const datastore = datastoreOf();
    const some = await assign(datastore, { count: 10 });
    expect(some.verdict).to.equal('partial');
    expect(some.items.filter(({ result }) => result === 'applied')).to.have.length(8);
    const none = await assign(datastore, { count: 1, handle: 'other' });
    expect(none.verdict).to.equal('partial');
    expect(none.error?.code).to.equal('PARTLY_APPLIED');
  });

  it('takes IPv6 where it is asked for, by version or by pool', async () => {
    const byVersion = await assign(datastoreOf(), { family: 6 });
    const byPool = await assign(datastoreOf(), { pools: ['six'] });
    for (const { items } of [byVersion, byPool]) expect(items[0]?.name).to.match(/^fd00::/);
  });

  it('plans the very addresses that it then assigns, and writes nothing', async () => {
    const datastore = datastoreOf();
    const plan = await assign(datastore, { count: 3, isRehearsed: true });
    expect(datastore.writes).to.deep.equal([]);
    const { items } = await assign(datastore, { count: 3 });
    expect(plan.items.map(({ name }) => name)).to.deep.equal(items.map(({ name }) => name));
  });

  it('plans no handle that it has made up, since the next run makes up another', async () => {
    const handleOf = async (options: Partial<AssignOptions>) =>
      (await assign(datastoreOf(), options)).document.items[0]?.subject.handle;
    expect(await handleOf({ isRehearsed: true, isHandleNew: true })).to.equal(undefined);
    expect(await handleOf({ isRehearsed: true })).to.equal('mine');
    expect(await handleOf({ isHandleNew: true })).to.equal('mine');
  });

  it('plans what it cannot do as left alone', async () => {
    const { document, verdict } = await assign(datastoreOf(), { count: 9, isRehearsed: true });
    expect(verdict).to.equal('partial');
    expect(document.totals).to.include({ planned: 8, skipped: 1 });
  });

  describe('of a given address', () => {
    const slot = podSlot('shop/cart-0', 'node-a');
    const block = aBlock('10.0.0.0/30', { 1: slot, 2: coolingSlot(1000), 3: windowsSlot() });
    const address = ip('10.0.0.1');

    it('is already done for the same handle', async () => {
      const datastore = datastoreOf(withRows(block));
      const { verdict, items } = await assign(datastore, { address, handle: slot.handle ?? '' });
      expect([verdict, items[0]?.result]).to.deep.equal(['ok', 'already']);
      expect(datastore.writes).to.deep.equal([]);
    });

    it('is refused when somebody else holds it', async () => {
      const datastore = datastoreOf(withRows(block));
      const { verdict, error } = await assign(datastore, { address });
      expect(verdict).to.equal('refused');
      expect(error?.message).to.contain('pod shop/cart-0');
      const reserved = await assign(datastore, { address: ip('10.0.0.3') });
      expect(reserved.verdict).to.equal('refused');
      expect(datastore.writes).to.deep.equal([]);
    });

    it('takes a free one, in a new block if need be', async () => {
      const datastore = datastoreOf(withRows(block));
      for (const text of ['10.0.0.0', '10.0.0.6']) {
        const { verdict, items } = await assign(datastore, { address: ip(text) });
        expect([verdict, items]).to.deep.equal(['ok', [{ name: text, result: 'applied' }]]);
      }
    });

    it('takes a cooling one only when its cooldown is over', async () => {
      const settings = aConfig({ ipCooldownSeconds: 60 });
      const cools = await assign(datastoreOf([...withRows(block), settings]), {
        address: ip('10.0.0.2'),
      });
      expect(cools.verdict).to.equal('refused');
      const cooled = await assign(datastoreOf(withRows(block)), { address: ip('10.0.0.2') });
      expect(cooled.verdict).to.equal('ok');
    });

    it('is refused, or already done, when somebody was faster', async () => {
      for (const [handle, expected] of [
        ['mine', 'already'],
        ['theirs', 'skipped'],
      ] as const) {
        const datastore = datastoreOf(withRows(aBlock('10.0.0.0/30')), {
          live: true,
          onRequest: ({ verb, kind, nth }, self) => {
            if (verb !== 'update' || kind !== 'IPAMBlock' || nth !== 1) return;
            self.put(aBlock('10.0.0.0/30', { 1: { handle, owner: {} } }));
          },
        });
        const { items } = await assign(datastore, { address });
        expect(items[0]?.result, handle).to.equal(expected);
      }
    });

    it('is refused in a pool of another use', async () => {
      const { verdict } = await assign(datastoreOf(), { address, use: 'LoadBalancer' });
      expect(verdict).to.equal('refused');
    });
  });

  const failures: readonly (readonly [string, Partial<AssignOptions>, string])[] = [
    ['a node that does not exist', { host: 'nobody' }, 'NOT_FOUND'],
    ['a pool that does not exist', { pools: ['none'] }, 'NOT_FOUND'],
    ['an address outside of all pools', { address: ip('192.0.2.1') }, 'NOT_FOUND'],
    ['an address outside of the pool', { address: ip('10.0.0.1'), pools: ['six'] }, 'USAGE'],
    ['a pool of the other version', { family: 4, pools: ['six'] }, 'USAGE'],
    ['an address of the other version', { family: 6, address: ip('10.0.0.1') }, 'USAGE'],
    ['a handle that no row can have', { handle: 'a b' }, 'USAGE'],
  ];
  for (const [title, options, code] of failures) {
    it(`fails for ${title}`, async () => {
      const error = await failureOf(assign(datastoreOf(), options));
      expect(error).to.include({ code });
    });
  }
});

describe('operations/assign/assign-options', () => {
  const FLAGS: AssignFlags = {
    node: 'node-a',
    use: 'Workload',
    'dry-run': false,
    'allow-version-mismatch': false,
  };
  const optionsFrom = (flags: Partial<AssignFlags>) =>
    assignOptionsFrom({ ...FLAGS, ...flags }, () => 'made');

  it('makes a handle when none is given', () => {
    expect(optionsFrom({}).handle).to.equal('made');
    expect(optionsFrom({ handle: 'own' }).handle).to.equal('own');
  });

  it('reads attributes', () => {
    expect(optionsFrom({ attr: ['pod=cart-0', 'note=a=b', 'empty='] }).attributes).to.deep.equal({
      pod: 'cart-0',
      note: 'a=b',
      empty: '',
    });
  });

  it('takes a node as an attribute only if it is the node', () => {
    expect(optionsFrom({ attr: ['node=node-a'] }).attributes).to.deep.equal({ node: 'node-a' });
    expect(() => optionsFrom({ attr: ['node=other'] })).to.throw(
      '--attr: "node" is other, and --node is node-a',
    );
  });

  it('assigns to load balancers without a node', () => {
    const use = 'LoadBalancer';
    expect(optionsFrom({ use, node: undefined }).host).to.equal('load-balancer');
    expect(() => optionsFrom({ use })).to.throw('--node');
  });

  for (const [title, flags] of [
    ['no node', { node: undefined }],
    ['an empty node', { node: '' }],
    ['an empty handle', { handle: '' }],
    ['an attribute without name', { attr: ['=x'] }],
    ['an attribute without value', { attr: ['x'] }],
    ['an attribute twice', { attr: ['x=1', 'x=2'] }],
  ] as const) {
    it(`refuses ${title}`, () => expect(() => optionsFrom(flags)).to.throw());
  }
});
