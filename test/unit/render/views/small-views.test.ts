import { expect } from 'chai';
import { borrowedView } from '../../../../src/render/views/borrowed.ts';
import { configurationView } from '../../../../src/render/views/configuration.ts';
import { errorView } from '../../../../src/render/views/error.ts';
import { explainView } from '../../../../src/render/views/explain.ts';
import type { BorrowedDocument } from '../../../../src/operations/documents/borrowed-document.ts';
import type { ConfigurationDocument } from '../../../../src/operations/documents/configuration-document.ts';
import { lines, plainSurface } from '../../../support/surface.ts';

const SOURCE = { datastore: 'snapshot', file: 'dump.yaml' } as const;

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
        'Reads:  IPAMBlock, Pod',
      ),
    );
  });
});
