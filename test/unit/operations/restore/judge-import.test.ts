import { expect } from 'chai';
import type { JsonObject } from '../../../../src/ipam/model/resource.ts';
import { type ImportedThing, judgeThing } from '../../../../src/operations/restore/judge-import.ts';

function aReservation(cidr: string): JsonObject {
  return {
    apiVersion: 'projectcalico.org/v3',
    kind: 'IPReservation',
    metadata: { name: 'lab-printers' },
    spec: { reservedCIDRs: [cidr] },
  };
}

/** What an import made of a reservation that was there, or was not. */
function aThing(before: JsonObject | undefined, after: JsonObject): ImportedThing {
  const kind = 'IPReservation';
  return { kind, key: { name: 'lab-printers' }, object: { kind, before, after } };
}

describe('operations/restore/judge-import', () => {
  it('says what becomes of a thing for whose kind the actions have no word of their own', () => {
    const now = aReservation('198.18.0.8/29');
    expect(judgeThing(aThing(undefined, now), now, undefined)).to.include({
      action: 'set-configuration',
      reason: 'the import made it, so it is deleted',
    });
    const before = aReservation('198.18.0.16/29');
    expect(judgeThing(aThing(before, now), now, undefined)).to.include({
      action: 'set-configuration',
      reason: 'the import changed it, so it is written as it was before',
    });
  });
});
