import { expect } from 'chai';
import { addressView } from '../../../../src/render/views/address.ts';
import type { AddressDocument } from '../../../../src/operations/documents/address-document.ts';
import { plainSurface } from '../../../support/surface.ts';

const SOURCE = { datastore: 'snapshot', file: 'dump.yaml' } as const;

function anAddress(facts: Partial<AddressDocument> = {}): AddressDocument {
  return {
    kind: 'IPAMAddress',
    schemaVersion: 1,
    source: SOURCE,
    ip: '198.18.0.5',
    allocated: true,
    cooling: false,
    pool: 'default',
    block: '198.18.0.0/26',
    blockAffinity: 'host:node-a',
    handle: 'k8s-pod-network.1',
    sequenceNumber: 1764426000123456789n,
    attributes: {
      pod: 'cart-0',
      namespace: 'shop',
      node: 'node-a',
      timestamp: '2026-01-02 03:04:05 +0000 UTC',
    },
    owner: { kind: 'Pod', namespace: 'shop', name: 'cart-0', node: 'node-a', alive: true },
    carriers: ['Pod shop/cart-0'],
    ...facts,
  };
}

async function addressText(facts: Partial<AddressDocument>, width = 100): Promise<string[]> {
  return addressView.text(anAddress(facts), await plainSurface(width)).split('\n');
}

describe('render/views/address', () => {
  it('tells who holds an address, since when, and whether that is alive', async () => {
    expect(await addressText({})).to.deep.equal([
      '198.18.0.5 is in use',
      '  Pool:            default',
      '  Block:           198.18.0.0/26',
      '  Block owner:     host:node-a',
      '  Handle ID:       k8s-pod-network.1',
      '  Sequence number: 1764426000123456789',
      '  Held since:      2026-01-02 03:04:05 +0000 UTC',
      '  Owner:           Pod shop/cart-0 on node node-a (alive)',
      '  Shown by:        Pod shop/cart-0',
      '',
      'Active Owner Attributes:',
      '  namespace: shop',
      '  node: node-a',
      '  pod: cart-0',
      '  timestamp: 2026-01-02 03:04:05 +0000 UTC',
    ]);
  });

  it('answers for an address that is not assigned', async () => {
    const none = {
      allocated: false,
      handle: undefined,
      sequenceNumber: undefined,
      attributes: {},
      owner: undefined,
    };
    expect(await addressText({ ...none, carriers: [] })).to.deep.equal([
      '198.18.0.5 is not assigned',
      '  Pool:        default',
      '  Block:       198.18.0.0/26',
      '  Block owner: host:node-a',
    ]);
    expect((await addressText(none))[0]).to.equal(
      '198.18.0.5 is not assigned, yet something alive shows it',
    );
  });

  it('answers for an address that is cooling', async () => {
    const facts = {
      cooling: true,
      handle: undefined,
      attributes: {},
      owner: undefined,
      carriers: [],
    };
    const text = await addressText({ ...facts, releasedAt: '2026-01-02T03:04:05Z' });
    expect(text[0]).to.equal('198.18.0.5 is cooling down: released, and not yet free again');
    expect(text).to.include('  Released at:     2026-01-02T03:04:05Z');
  });

  it('calls a leak one, and says how to release it on the same source', async () => {
    const leak = {
      owner: { kind: 'Pod', namespace: 'shop', name: 'cart-0', alive: false },
      standing: 'leaked',
      standingReason: 'its pod does not exist (pod shop/cart-0)',
      carriers: [],
    } as const;
    const text = await addressText(leak);
    expect(text[0]).to.equal(
      '198.18.0.5 is assigned, but nothing alive uses it: its pod does not exist (pod shop/cart-0)',
    );
    expect(text.slice(-2)).to.deep.equal([
      'Next: a release looks again before it writes, and takes all addresses of the handle:',
      '  ipamctl ipam release --ip 198.18.0.5 --dry-run --snapshot dump.yaml',
    ]);
    expect(addressView.html?.(anAddress(leak))).to.contain('--dry-run --snapshot dump.yaml');
  });

  it('calls a conflict one, with the place and the age of each carrier', async () => {
    const text = await addressText({
      standing: 'carried',
      conflict: {
        forms: ['two-carriers'],
        reason: '198.18.0.5 is carried at the same time by pod a/x and pod b/y.',
      },
      carriers: ['Pod(a/x)', 'Pod(b/y)'],
      carriedBy: [
        { kind: 'Pod', namespace: 'a', name: 'x', node: 'elm', createdAt: '2026-01-02T03:04:05Z' },
        { kind: 'Pod', namespace: 'b', name: 'y', node: 'oak', terminating: true },
      ],
    });
    expect(text[0]).to.equal(
      'Conflict: 198.18.0.5 is carried at the same time by pod a/x and pod b/y',
    );
    expect(text).to.include('| Pod a/x  | elm  | 2026-01-02T03:04:05Z | alive       |');
    expect(text).to.include('| Pod b/y  | oak  |                      | terminating |');
    expect(text.at(-2)).to.match(/^Next: decide who keeps the address/);
  });

  it('asks which block is meant where two of them hold the address', async () => {
    const conflict = { forms: ['two-blocks'], reason: 'R.' } as const;
    expect((await addressText({ conflict })).at(-1)).to.equal(
      '  ipamctl ipam release --ip 198.18.0.5 --block CIDR --dry-run --snapshot dump.yaml',
    );
  });

  it('does not call an address free when a block cannot be read', async () => {
    const unreadable = Array.from({ length: 7 }, (_, at) => {
      return { kind: 'IPAMBlock', name: `b-${at}`, problem: 'its cidr is none' };
    });
    const text = await addressText({ allocated: false, carriers: [], unreadable });
    expect(text[0]).to.equal('198.18.0.5 is not assigned in any block that can be read');
    const said = text.join(' ');
    expect(said).to.contain('7 rows cannot be read').and.to.contain('IPAMBlock b-4 and 2 more.');
    expect(said).to.contain('ipamctl ipam check --only unreadable-object --snapshot dump.yaml');
  });

  it('says when the owner is gone or nobody can know', async () => {
    const owner = { kind: 'Pod', namespace: 'shop', name: 'cart-0', alive: false } as const;
    expect((await addressText({ owner, carriers: [] }))[0]).to.equal(
      '198.18.0.5 is in use, but its owner is not alive',
    );
    expect(await addressText({ owner: { ...owner, alive: undefined } })).to.include(
      '  Owner:           Pod shop/cart-0 (not known whether it is alive)',
    );
    expect(
      await addressText({ owner: undefined, attributes: {}, handle: undefined, carriers: [] }),
    ).to.include.members([
      '  Handle ID:       <none>',
      '  Owner:           not known',
      'No Active Owner Attributes',
    ]);
  });

  it('shows the other side of a migration and the blocks that hold the address', async () => {
    const candidates = ['198.18.0.0/26', '198.18.0.0/25'].map((block) => {
      return { block, handle: 'h', sequenceNumber: 7n, cooling: false, attributes: {} };
    });
    const text = await addressText({ alternateAttributes: { pod: 'vm-2' }, candidates });
    expect(text.join('\n')).to.contain(
      'Alternate Owner Attributes:\n  pod: vm-2\n\nHeld in several blocks:\n+',
    );
    expect(text).to.include('| 198.18.0.0/25 | assigned | h      |               7 |');
  });

  it('makes a page', () => {
    expect(addressView.html?.(anAddress({ handle: '<h>' })))
      .to.contain('&lt;h&gt;')
      .and.to.contain('is in use');
  });
});
