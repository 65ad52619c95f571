import { expect } from 'chai';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { thingsOf } from '../../../../src/operations/restore/imported-things.ts';
import type { RecordedWrite } from '../../../../src/operations/undo/undo-log.ts';
import { aClusterInformation } from '../../../support/settings-builders.ts';

/** A configuration of BGP, of which the number of its own network tells the state. */
function configuration(asNumber: number | undefined): JsonObject | undefined {
  if (asNumber === undefined) return undefined;
  return {
    apiVersion: 'projectcalico.org/v3',
    kind: 'BGPConfiguration',
    metadata: { name: 'default' },
    spec: { asNumber },
  };
}

/** Writes from one number to the next. */
function writesOf(
  ...pairs: readonly (readonly [number | undefined, number | undefined, RecordedWrite['result']?])[]
): readonly RecordedWrite[] {
  return pairs.map(([before, after, result = 'applied'], at) => ({
    n: at + 1,
    action: 'set-configuration',
    subject: { kind: 'BGPConfiguration', name: 'default' },
    before: undefined,
    after: undefined,
    object: {
      kind: 'BGPConfiguration',
      before: configuration(before),
      after: configuration(after),
    },
    result,
  }));
}

const numberOf = (object: JsonObject | undefined): unknown =>
  (object?.['spec'] as JsonObject | undefined)?.['asNumber'];

function endsOf(writes: readonly RecordedWrite[]): readonly unknown[] {
  return thingsOf(writes).map(({ object }) => [numberOf(object?.before), numberOf(object?.after)]);
}

describe('operations/restore: things that an import wrote', () => {
  it('are joined from before the first write to after the last', () => {
    expect(endsOf(writesOf([1, 2], [2, 3]))).to.deep.equal([[1, 3]]);
    expect(endsOf(writesOf([undefined, 2], [2, 3]))).to.deep.equal([[undefined, 3]]);
  });

  it('are joined where a run that did not last was begun again', () => {
    expect(endsOf(writesOf([1, 2], [2, 3], [1, 2], [2, 3]))).to.deep.equal([[1, 3]]);
  });

  it('become again what somebody else made of them in between', () => {
    expect(endsOf(writesOf([1, 2], [7, 3]))).to.deep.equal([[7, 3]]);
  });

  it('leave out what was refused', () => {
    expect(endsOf(writesOf([1, 2, 'failed']))).to.deep.equal([]);
  });

  it('say of the cluster what it was before the first write, whatever Calico wrote in between', () => {
    const [first, second, third] = ['v3.31.0', 'v3.32.0', 'v3.33.0'].map((calicoVersion) => ({
      ...aClusterInformation(),
      calicoVersion,
    }));
    const write = {
      action: 'lock',
      subject: { kind: 'ClusterInformation', name: 'default' },
    } as const;
    const [thing] = thingsOf([
      { ...write, n: 1, before: first, after: first },
      { ...write, n: 2, before: second, after: third },
    ]);
    expect(thing?.row).to.deep.equal({ before: first, after: third });
  });
});
