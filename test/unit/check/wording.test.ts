import { expect } from 'chai';
import {
  carrierText,
  carriersText,
  counted,
  listed,
  ownerText,
  qualified,
  quoted,
} from '../../../src/check/wording.ts';

describe('check/wording', () => {
  it('counts in singular and plural', () => {
    expect([
      counted(1, 'row'),
      counted(0, 'row'),
      counted(2, 'address', 'addresses'),
    ]).to.deep.equal(['1 row', '0 rows', '2 addresses']);
  });

  it('joins lists, and counts what is too much', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).to.deep.equal([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(listed(['a', 'b', 'c', 'd'], 2)).to.equal('a, b and 2 more');
  });

  it('makes control characters visible', () => {
    expect(quoted('a\r\n')).to.equal('"a\\r\\n"');
  });

  it('names what carries an address', () => {
    expect(qualified(undefined, 'x')).to.equal('x');
    expect(
      carriersText([
        { kind: 'Node', name: 'n' },
        { kind: 'Pod', namespace: 'a', name: 'p', node: 'n', terminating: true },
        { kind: 'WorkloadEndpoint', namespace: 'a', name: 'e' },
      ]),
    ).to.equal('node n, terminating pod a/p on node n and endpoint a/e');
    expect(carrierText({ kind: 'Service', namespace: 'a', name: 's' })).to.equal('Service a/s');
  });

  it('names for whom an allocation was made, as far as it says', () => {
    const owner = { block: '10.0.0.0/28', use: 'Workload' } as const;
    expect(ownerText({ ...owner, namespace: 'a', pod: 'p', machine: 'm' })).to.equal('pod a/p');
    expect(ownerText({ ...owner, namespace: 'a', machine: 'm' })).to.equal('virtual machine a/m');
    expect(ownerText({ ...owner, namespace: 'a', service: 's' })).to.equal('Service a/s');
    expect(ownerText({ ...owner, use: 'Tunnel', node: 'n', handle: 'h' })).to.equal(
      'a tunnel of node n',
    );
    expect(ownerText({ ...owner, handle: 'h', node: 'n' })).to.equal('handle "h"');
    expect(ownerText({ ...owner, node: 'n' })).to.equal(undefined);
  });
});
