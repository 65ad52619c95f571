import { expect } from 'chai';
import { DataError } from '../../../src/errors/data-error.ts';
import type { Row } from '../../../src/ipam/model/row.ts';
import { showConfiguration } from '../../../src/operations/show-configuration.ts';
import { aConfig } from '../../support/settings-builders.ts';
import { ScriptedDatastore, contextOf } from '../../support/scripted-datastore.ts';

async function show(rows: readonly Row[]) {
  const { document } = await showConfiguration(contextOf(new ScriptedDatastore(rows)));
  return document;
}

const BUILT_IN = {
  strictAffinity: false,
  autoAllocateBlocks: true,
  maxBlocksPerHost: 0,
  kubeVirtVMAddressPersistence: 'Enabled',
  ipCooldownSeconds: 0,
};

describe('operations/show-configuration', () => {
  it('shows the stored configuration', async () => {
    const row = aConfig({
      strictAffinity: true,
      maxBlocksPerHost: 4,
      kubeVirtVMAddressPersistence: 'Disabled',
      ipCooldownSeconds: 30,
    });
    expect(await show([row])).to.deep.include({
      stored: true,
      configuration: {
        strictAffinity: true,
        autoAllocateBlocks: true,
        maxBlocksPerHost: 4,
        kubeVirtVMAddressPersistence: 'Disabled',
        ipCooldownSeconds: 30,
      },
    });
  });

  it('shows the built-in values where nothing is stored', async () => {
    expect(await show([])).to.deep.include({ stored: false, configuration: BUILT_IN });
  });

  it('ignores an object under another name, as Calico does', async () => {
    const row = aConfig({ key: { name: 'custom' }, strictAffinity: true });
    expect(await show([row])).to.deep.include({ stored: false, configuration: BUILT_IN });
  });

  it('does not guess what cannot be read', async () => {
    await refused([
      {
        kind: 'IPAMConfig',
        key: { name: 'default' },
        unreadable: 'spec.strictAffinity "x" is no boolean',
      },
    ]);
  });

  it('does not take a configuration that was not dumped for an absent one', async () => {
    const datastore = new ScriptedDatastore([]);
    datastore.list = async () => ({ absent: 'not-loaded', rows: (async function* () {})() });
    const error: unknown = await showConfiguration(contextOf(datastore)).catch(
      (reason: unknown) => reason,
    );
    expect(error)
      .to.be.instanceOf(DataError)
      .with.property('message')
      .that.includes('not part of this snapshot');
  });
});

async function refused(rows: readonly Row[]): Promise<void> {
  const error: unknown = await show(rows).catch((reason: unknown) => reason);
  expect(error)
    .to.be.instanceOf(DataError)
    .with.property('message')
    .that.includes('spec.strictAffinity');
}
