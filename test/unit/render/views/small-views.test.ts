import { expect } from 'chai';
import { addressView } from '../../../../src/render/views/address.ts';
import { borrowedView } from '../../../../src/render/views/borrowed.ts';
import { configurationView } from '../../../../src/render/views/configuration.ts';
import { errorView } from '../../../../src/render/views/error.ts';
import { explainView } from '../../../../src/render/views/explain.ts';
import type { AddressDocument } from '../../../../src/operations/documents/address-document.ts';
import type { BorrowedDocument } from '../../../../src/operations/documents/borrowed-document.ts';
import type { ConfigurationDocument } from '../../../../src/operations/documents/configuration-document.ts';
import { lines, plainSurface } from '../../../support/surface.ts';

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

describe('render/views/borrowed', () => {
  const borrowed = [
    {
      ip: '198.18.0.5',
      borrowingNode: 'node-b',
      block: '198.18.0.0/26',
      blockOwner: 'node-a',
      type: 'pod',
      allocatedTo: 'shop/cart-0',
    },
  ];
  const document: BorrowedDocument = {
    kind: 'IPAMBorrowed',
    schemaVersion: 1,
    source: SOURCE,
    borrowed,
  };

  it('lists borrowed addresses', async () => {
    expect(borrowedView.text(document, await plainSurface(100))).to.equal(
      lines(
        '+------------+----------------+---------------+-------------+------+--------------+',
        '| IP         | BORROWING-NODE | BLOCK         | BLOCK OWNER | TYPE | ALLOCATED-TO |',
        '+------------+----------------+---------------+-------------+------+--------------+',
        '| 198.18.0.5 | node-b         | 198.18.0.0/26 | node-a      | pod  | shop/cart-0  |',
        '+------------+----------------+---------------+-------------+------+--------------+',
        '1 address is borrowed.',
      ),
    );
  });

  it('says what it means that there are none', async () => {
    expect(borrowedView.text({ ...document, borrowed: [] }, await plainSurface(60))).to.match(
      /^No borrowed addresses: /,
    );
  });
});

describe('render/views/configuration', () => {
  const configuration = {
    strictAffinity: true,
    autoAllocateBlocks: true,
    maxBlocksPerHost: 0,
    kubeVirtVMAddressPersistence: 'Enabled',
    ipCooldownSeconds: 0,
  };
  const document: ConfigurationDocument = {
    kind: 'IPAMConfiguration',
    schemaVersion: 1,
    source: SOURCE,
    configuration,
    stored: true,
  };

  it('lists the settings', async () => {
    expect(configurationView.text(document, await plainSurface(60))).to.equal(
      lines(
        '+------------------------------+---------+',
        '| PROPERTY                     | VALUE   |',
        '+------------------------------+---------+',
        '| StrictAffinity               | true    |',
        '| AutoAllocateBlocks           | true    |',
        '| MaxBlocksPerHost             | 0       |',
        '| KubeVirtVMAddressPersistence | Enabled |',
        '| IPCooldownSeconds            | 0       |',
        '+------------------------------+---------+',
      ),
    );
  });

  it('says when nothing is stored', async () => {
    const text = configurationView.text({ ...document, stored: false }, await plainSurface(100));
    expect(text.split('\n').at(-1)).to.equal(
      'No configuration is stored; these are the values that hold without one.',
    );
  });
});

describe('render/views/error', () => {
  const error = {
    kind: 'IPAMError',
    schemaVersion: 1,
    code: 'USAGE',
    details: {},
    status: 2,
  } as const;

  it('shows the message and what to do next', async () => {
    const text = errorView.text(
      { ...error, message: '--ip: "x" is no address', hint: 'write it as 1.2.3.4' },
      await plainSurface(60),
    );
    expect(text).to.equal('Error: --ip: "x" is no address\n  Write it as 1.2.3.4.');
  });

  it('keeps lines apart, makes them safe, and leaves commands and questions as they are', async () => {
    const surface = await plainSurface(60);
    expect(
      errorView.text({ ...error, message: 'two:\n  a\u001b[2J', hint: 'did you mean b?' }, surface),
    ).to.equal('Error: two:\n    a\\x1b[2J\n  Did you mean b?');
    expect(errorView.text({ ...error, message: 'm', hint: 'ipamctl --help' }, surface)).to.equal(
      'Error: m\n  ipamctl --help.',
    );
  });
});

describe('render/views/explain', () => {
  it('shows what a rule means, wrapped', async () => {
    const document = {
      kind: 'IPAMExplanation',
      schemaVersion: 1,
      code: 'leaked-address',
      severity: 'error',
      title: 'Allocated, but unused',
      why: 'The address stays taken until somebody releases it.',
      remedy: 'Release it.',
      needs: ['IPAMBlock', 'Pod'],
    } as const;
    expect(explainView.text(document, await plainSurface(50))).to.equal(
      lines(
        'leaked-address (error)',
        'Allocated, but unused',
        '',
        'Why:    The address stays taken until somebody',
        '        releases it.',
        'Remedy: Release it.',
        'Needs:  IPAMBlock, Pod',
      ),
    );
  });
});
