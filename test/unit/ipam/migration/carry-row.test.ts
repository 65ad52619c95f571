import { expect } from 'chai';
import {
  carryAffinity,
  carryConfig,
  carryHandle,
} from '../../../../src/ipam/migration/carry-row.ts';
import { HealingTally } from '../../../../src/ipam/migration/healing.ts';
import { LoweredCounts } from '../../../../src/ipam/migration/lowered-counts.ts';
import { NodeNames } from '../../../../src/ipam/migration/node-names.ts';
import type { AffinityRow } from '../../../../src/ipam/model/affinity.ts';
import type { HandleRow } from '../../../../src/ipam/model/handle.ts';
import type { IpamConfigRow } from '../../../../src/ipam/model/ipam-config.ts';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { net } from '../../../support/builders.ts';

const names = new NodeNames(
  [
    { from: 'a', to: 'a.example' },
    { from: 'b', to: 'b.example' },
  ],
  new Set(['bare']),
);

function healedIn(tally: HealingTally): Readonly<Record<string, number>> {
  return Object.fromEntries(tally.entries().map(({ code, count }) => [code, count]));
}

function affinity(type: string, host: string, object: JsonObject | undefined, folder = type) {
  const tally = new HealingTally();
  const row: AffinityRow = {
    kind: 'BlockAffinity',
    key: { name: `${folder}/${host}/ipv4/block/10.0.0.0-30` },
    type,
    host,
    cidr: net('10.0.0.0/30'),
    state: (object?.['state'] ?? '') as AffinityRow['state'],
    deleted: object?.['deleted'] === true,
    object,
  };
  return { carried: carryAffinity(row, { names, tally }), healed: healedIn(tally) };
}

function handle(
  id: string,
  block: Readonly<Record<string, number>>,
  { lowered = new LoweredCounts(), object }: { lowered?: LoweredCounts; object?: JsonObject } = {},
) {
  const tally = new HealingTally();
  const counts = Object.entries(block).map(([text, count]) => ({ text, cidr: net(text), count }));
  const row: HandleRow = {
    kind: 'IPAMHandle',
    key: { name: id },
    id,
    counts,
    deleted: false,
    object: object ?? { block, deleted: false },
  };
  return { carried: carryHandle(row, { names, tally, lowered }), healed: healedIn(tally) };
}

describe('ipam/migration/carry-row', () => {
  it('renames the host of a claim and keeps its other fields', () => {
    expect(affinity('host', 'a', { state: 'pending', deleted: false, later: 1 })).to.deep.equal({
      carried: {
        entryName: 'host/a.example/ipv4/block/10.0.0.0-30',
        objectName: 'a.example-10-0-0-0-30',
        value: { state: 'pending', deleted: false, later: 1 },
      },
      healed: {},
    });
  });

  it('keeps a virtual owner that is called like a node', () => {
    const { carried } = affinity('virtual', 'a', { state: 'confirmed', deleted: false });
    expect(carried?.entryName).to.equal('virtual/a/ipv4/block/10.0.0.0-30');
  });

  it('leaves the claims of a skipped host out, and no virtual one', () => {
    const value = { state: 'confirmed', deleted: false };
    expect(affinity('host', 'bare', value).carried).to.equal(undefined);
    expect(affinity('virtual', 'bare', value).carried).not.to.equal(undefined);
  });

  it('writes claims of old releases in full', () => {
    expect(affinity('host', 'b', undefined, '@')).to.deep.equal({
      carried: {
        entryName: 'host/b.example/ipv4/block/10.0.0.0-30',
        objectName: 'b.example-10-0-0-0-30',
        value: { state: '', deleted: false },
      },
      healed: { 'empty-affinity': 1, 'old-affinity-type': 1 },
    });
    expect(affinity('host', 'b', { state: 'confirmed' }).healed).to.deep.equal({
      'missing-deleted': 1,
    });
  });

  it('renames and cuts handles and keeps their other fields', () => {
    const object = { block: { '10.0.0.0/30': 2 }, later: { x: 1 } };
    const { carried, healed } = handle(
      'wireguard-v6-tunnel-addr-a\r\nx',
      { '10.0.0.0/30': 2 },
      { object },
    );
    expect(carried).to.deep.equal({
      entryName: 'wireguard-v6-tunnel-addr-a.example',
      objectName: 'wireguard-v6-tunnel-addr-a.example',
      value: { block: { '10.0.0.0/30': 2 }, later: { x: 1 }, deleted: false },
    });
    expect(healed).to.deep.equal({ 'handle-id-cut': 1, 'missing-deleted': 1 });
  });

  it('names handles in Kubernetes in lower case', () => {
    expect(handle('net.ABC', { '10.0.0.0/30': 1 }).carried).to.deep.include({
      entryName: 'net.ABC',
      objectName: 'net.abc',
    });
  });

  it('leaves tunnels of a skipped node out, whatever they count', () => {
    expect(handle('ipip-tunnel-addr-bare', { '10.0.0.0/30': 1 }).carried).to.equal(undefined);
  });

  it('keeps a handle without counts, and one with a count of nothing', () => {
    expect(handle('net.1', {}).carried?.value['block']).to.deep.equal({});
    expect(handle('net.1', { '10.0.0.0/30': 0 }).carried?.value['block']).to.deep.equal({
      '10.0.0.0/30': 0,
    });
  });

  it('lowers counts by what goes, and leaves out a handle of which nothing is left', () => {
    const lowered = new LoweredCounts();
    lowered.dropBlock('10.0.0.0/30');
    lowered.free('net.1', '10.0.0.4/30');
    lowered.free('net.1', '10.0.0.4/30');
    const counts = { '10.0.0.0/30': 9, '10.0.0.4/30': 3, '10.0.0.8/30': 1 };
    expect(handle('net.1', counts, { lowered }).carried?.value['block']).to.deep.equal({
      '10.0.0.4/30': 1,
      '10.0.0.8/30': 1,
    });
    expect(handle('net.2', { '10.0.0.0/30': 1 }, { lowered }).carried).to.equal(undefined);
    expect(handle('net.1', { '10.0.0.4/30': 1 }, { lowered }).carried).to.equal(undefined);
    expect(
      handle('net.2', { '10.0.0.4/30': 1 }, { lowered }).carried?.value['block'],
    ).to.deep.equal({
      '10.0.0.4/30': 1,
    });
  });

  it('takes the configuration as it is stored', () => {
    const object = { auto_allocate_blocks: true, later: 1 };
    const row = {
      kind: 'IPAMConfig',
      key: { name: 'default' },
      object,
    } as unknown as IpamConfigRow;
    expect(carryConfig(row).value).to.deep.equal(object);
  });
});
