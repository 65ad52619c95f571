import { expect } from 'chai';
import { readMemory } from '../../../../src/operations/gc/collector-memory.ts';
import { stringifyJson } from '../../../../src/support/json.ts';

describe('operations/gc/collector-memory', () => {
  const head = { kind: 'IPAMCollectorState', schemaVersion: 1, clusterGUID: 'x' };
  const lists = { leaks: [], emptyBlocks: [], reclamations: [] };
  for (const [title, document] of [
    ['no JSON', '{'],
    ['another document', stringifyJson({ ...head, ...lists, kind: 'IPAMCheck' })],
    ['a newer format', stringifyJson({ ...head, ...lists, schemaVersion: 2 })],
    ['a missing list', stringifyJson(head)],
    [
      'a damaged time',
      stringifyJson({
        ...head,
        ...lists,
        emptyBlocks: [{ block: 'b', node: 'n', revision: '7', since: 'x' }],
      }),
    ],
    [
      'a damaged number',
      stringifyJson({
        ...head,
        ...lists,
        leaks: [
          {
            address: 'a',
            block: 'b',
            handle: 'h',
            sequenceNumber: 'x',
            since: '2026-11-29T12:00:00Z',
          },
        ],
      }),
    ],
  ] as const) {
    it(`refuses ${title}`, () => {
      expect(() => readMemory(document, 'gc.json')).to.throw('gc.json');
    });
  }
});
