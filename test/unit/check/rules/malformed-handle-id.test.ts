import { expect } from 'chai';
import { malformedHandleId } from '../../../../src/check/rules/malformed-handle-id.ts';
import { NOW, aBlock, aHandle, clusterOf } from '../../../support/builders.ts';
import { judge, subjectsOf } from '../../../support/judge.ts';

const slot = (handle: string) => ({ handle, owner: { namespace: 'a', pod: 'b', node: 'node-a' } });

describe('check/rules/malformed-handle-id', () => {
  it('fires once for an id, wherever it stands', () => {
    const id = 'net.a\r\neth0';
    const rows = [
      aBlock('10.0.0.0/28', { 5: slot(id), 6: slot(id) }),
      aHandle(id, {}, { key: { name: id } }),
    ];
    const [finding, second] = judge(malformedHandleId, clusterOf(rows));
    expect(second).to.equal(undefined);
    expect(finding?.subject).to.include({ kind: 'IPAMHandle', handle: 'net.a' });
    expect(finding?.facts).to.deep.equal({
      handle: 'net.a',
      spellings: [id],
      rows: [id],
      addresses: ['10.0.0.5', '10.0.0.6'],
    });
    expect(finding?.reason).to.equal(
      'Handle id "net.a\\r\\neth0" of 2 allocations (10.0.0.5 and 10.0.0.6) and 1 handle row holds control characters and is compared up to the first one.',
    );
  });

  it('fires for each id, in order', () => {
    const block = aBlock('10.0.0.0/28', { 5: slot('net.b\n'), 6: slot('net.a\t') });
    expect(
      judge(malformedHandleId, clusterOf([block])).map(({ subject }) => subject.handle),
    ).to.deep.equal(['net.a', 'net.b']);
  });

  it('is quiet for sound, empty and absent ids, and while cooling', () => {
    const block = aBlock('10.0.0.0/28', {
      1: slot('net.a'),
      2: slot(''),
      3: { owner: {} },
      4: { ...slot('net.c\n'), releasedAt: NOW },
    });
    expect(subjectsOf(malformedHandleId, clusterOf([block, aHandle('net.a', {})]))).to.be.empty;
  });

  it('lacks handles where they were not read', () => {
    expect(
      malformedHandleId.missingFor?.(clusterOf([], { without: ['IPAMHandle'] })),
    ).to.deep.equal(['IPAMHandle']);
  });
});
