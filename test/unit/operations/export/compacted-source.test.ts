import { expect } from 'chai';
import { entryText } from '../../../../src/datastore/codec/entry-text.ts';
import { CompactedError } from '../../../../src/datastore/etcd/compacted-error.ts';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import { planExport } from '../../../../src/operations/export-datastore.ts';
import {
  affinityEntry,
  blockEntry,
  contextOver,
  handleEntry,
  LOCKED,
  nodeEntry,
  TextOutput,
} from '../../../support/export-world.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';

const ENTRIES = [
  LOCKED,
  nodeEntry('a', 'a.example'),
  blockEntry('10.0.0.0/30', 'host:a', [{ handle_id: 'net.1', secondary: { node: 'a' } }]),
  affinityEntry('host/a', '10.0.0.0/30'),
  handleEntry('net.1', { '10.0.0.0/30': 1 }),
];

/** An export of an etcd that forgets its history when it gets the request of this number. */
async function exportCompactedAt(nth: number): Promise<{
  readonly requests: number;
  readonly end: unknown;
  readonly text?: string | undefined;
}> {
  const etcd = new MemoryEtcd();
  for (const { key, value } of ENTRIES) etcd.put(key, entryText(value));
  const first = await etcd.revision();
  let requests = 0;
  etcd.onRequest = () => {
    requests++;
    if (requests === nth) etcd.compacted = first + 1n;
  };
  const output = new TextOutput();
  const options = { skipNodes: [], isMismatchAllowed: false };
  try {
    const migration = await planExport(contextOver(new EtcdDatastore(etcd)), options);
    const { document } = await migration.write(output);
    return { requests, end: document.written, text: output.text };
  } catch (error) {
    return { requests, end: error, text: output.text };
  }
}

describe('operations/export of an etcd that forgets its history', () => {
  it('is whole, or fails and says why, at whatever request that happens', async () => {
    const whole = await exportCompactedAt(Infinity);
    expect(whole.end).to.equal(true);
    // The first request asks for the revision; nothing is read at it yet.
    for (let nth = 2; nth <= whole.requests; nth++) {
      const { end, text } = await exportCompactedAt(nth);
      expect(end, `request ${nth} of ${whole.requests}`).to.be.instanceOf(CompactedError);
      expect((end as CompactedError).hint).to.include('run the command again');
      expect(text).to.equal(undefined);
    }
    expect(await exportCompactedAt(whole.requests + 1)).to.deep.equal(whole);
  });
});
