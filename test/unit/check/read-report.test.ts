import { expect } from 'chai';
import { readReport } from '../../../src/check/read-report.ts';
import { intersectReports } from '../../../src/check/report-intersection.ts';
import { DataError } from '../../../src/errors/data-error.ts';
import { formatAddress } from '../../../src/net/address.ts';
import { stringifyJson } from '../../../src/support/json.ts';

const LEAK = {
  ip: '10.0.0.5',
  handle: 'k8s-pod-network.x',
  sequenceNumber: 1764426000123456789n,
  inUse: false,
  owners: null,
};

function textWith(more: Readonly<Record<string, unknown>>): string {
  const report = { version: 'v3.33.0', clusterGUID: 'g', allocations: { '10.0.0.5': [LEAK] } };
  return stringifyJson({ ...report, ...more });
}

const read = (more: Readonly<Record<string, unknown>> = {}) => readReport(textWith(more), 'r.json');
const allocations = (...entries: unknown[]) => ({ allocations: { '10.0.0.5': entries } });

describe('check/read-report', () => {
  it('reads a report of calicoctl: what is free, nothing about findings', () => {
    const report = read();
    expect(report).to.include({ name: 'r.json', clusterGUID: 'g', checkedAt: undefined });
    expect(report.findings).to.equal(undefined);
    expect(
      report.addresses.map(({ address, ...rest }) => [formatAddress(address), rest]),
    ).to.deep.equal([
      ['10.0.0.5', { block: undefined, handle: LEAK.handle, sequenceNumber: LEAK.sequenceNumber }],
    ]);
  });

  it('passes over what is in use and what is cooling', () => {
    const entries = [{ ...LEAK, inUse: true }, { ...LEAK, coolingDown: true }, 'damage'];
    expect(read(allocations(...entries)).addresses).to.deep.equal([]);
  });

  it('reads an allocation without handle, without number, with a block', () => {
    const [entry] = read(
      allocations({ ip: '10.0.0.5', inUse: false, handle: '', block: '10.0.0.0/26' }),
    ).addresses;
    expect(entry).to.deep.include({ handle: undefined, sequenceNumber: 0n });
    expect(entry?.block?.length).to.equal(26);
    const small = read(allocations({ ...LEAK, sequenceNumber: 7 })).addresses;
    expect(small[0]?.sequenceNumber).to.equal(7n);
  });

  it('reads leaked handles, also without uid', () => {
    const leakedHandles = [
      { ID: 'a', UID: 'u', Revision: '5' },
      { ID: 'b', UID: null },
    ];
    expect(read({ leakedHandles }).handles).to.deep.equal([
      { id: 'a', uid: 'u', revision: '5' },
      { id: 'b', uid: undefined, revision: '' },
    ]);
  });

  it('reads when it was written and what was found, as far as it can be read', () => {
    const subject = { kind: 'IPAMHandle', name: 'a' };
    const report = read({
      checkedAt: '2026-11-29T12:00:00Z',
      schemaVersion: 1,
      findings: [{ code: 'orphan-handle', subject }, 'x', { subject }, { code: 'x' }],
    });
    expect(report.checkedAt).to.equal(Date.UTC(2026, 10, 29, 12));
    expect(report.findings).to.deep.equal([{ code: 'orphan-handle', subject }]);
  });

  const refused: Record<string, readonly [string, RegExp]> = {
    'no JSON': ['{', /r\.json is no JSON/],
    'another document': ['[]', /no report of ipam check/],
    'no allocations': ['{"clusterGUID":"g"}', /no report/],
    'no cluster': ['{"allocations":{}}', /no report/],
    'a newer form': [textWith({ schemaVersion: 2 }), /newer version of ipamctl \(schema 2\)/],
    'a form that is no number': [textWith({ schemaVersion: 'x' }), /newer version/],
    'allocations that are no list': [
      textWith({ allocations: { '10.0.0.5': {} } }),
      /damaged: allocations/,
    ],
    'an address that is none': [
      textWith(allocations({ ...LEAK, ip: 'x' })),
      /damaged: the address/,
    ],
    'an address that is missing': [textWith(allocations({ inUse: false })), /damaged: the address/],
    'a sequence number that is none': [
      textWith(allocations({ ...LEAK, sequenceNumber: 'x' })),
      /sequence number/,
    ],
    'a handle without id': [textWith({ leakedHandles: [{}] }), /damaged: leakedHandles/],
    'a handle that is no object': [textWith({ leakedHandles: ['x'] }), /damaged: leakedHandles/],
  };
  for (const [title, [text, message]] of Object.entries(refused)) {
    it(`refuses a file with ${title}`, () => {
      expect(() => readReport(text, 'r.json')).to.throw(DataError, message);
    });
  }
});

describe('check/report-intersection', () => {
  const addresses = (...reports: ReturnType<typeof read>[]) => intersectReports(reports).addresses;

  it('keeps all of a single report and nothing of none', () => {
    expect(addresses(read())).to.have.length(1);
    expect(intersectReports([])).to.deep.equal({ addresses: [], handles: [] });
  });

  it('keeps an address that every report offers alike, with the block that one of them says', () => {
    const ours = read(allocations({ ...LEAK, block: '10.0.0.0/26' }));
    expect(addresses(read(), ours)[0]?.block?.length).to.equal(26);
    expect(addresses(ours, read())[0]?.block?.length).to.equal(26);
    expect(addresses(ours, ours)).to.have.length(1);
  });

  it('drops an address that was given out again, is gone, or is of another block', () => {
    expect(addresses(read(), read(allocations({ ...LEAK, sequenceNumber: 8 })))).to.deep.equal([]);
    expect(addresses(read(), read(allocations({ ...LEAK, handle: 'y' })))).to.deep.equal([]);
    expect(addresses(read(), read(allocations()), read())).to.deep.equal([]);
    const [a, b] = ['10.0.0.0/26', '10.0.0.0/28'].map((block) =>
      read(allocations({ ...LEAK, block })),
    );
    expect(addresses(a!, b!)).to.deep.equal([]);
  });

  it('compares handles by id, uid and revision', () => {
    const handle = { ID: 'a', UID: null, Revision: '5' };
    const handles = (other: object) =>
      intersectReports([read({ leakedHandles: [handle] }), read({ leakedHandles: [other] })])
        .handles;
    expect(handles(handle)).to.have.length(1);
    expect(handles({ ...handle, Revision: '6' })).to.deep.equal([]);
    expect(handles({ ...handle, UID: 'u' })).to.deep.equal([]);
  });
});
