/** The table of repairs: what each remedies by which writes, and what it keeps although its rule fires. */
import type { Row } from '../../src/ipam/model/row.ts';
import { NOW, aBlock, aHandle, aPod, anAffinity, coolingSlot, podSlot } from './builders.ts';
import { aConfig } from './settings-builders.ts';
import type { RowDatastoreOptions } from './row-datastore.ts';

const SLOT = podSlot('shop/a', 'node-a');
const HANDLE = SLOT.handle ?? '';
/** The pod of {@link USED}. */
export const POD = aPod('shop/a', 'node-a', '10.0.0.3');
/** A block that holds one address. */
export const USED = aBlock('10.0.0.0/26', { 3: SLOT });
/** A block that holds none. */
export const EMPTY = aBlock('10.0.0.0/26');
const YOUNG = NOW - 60_000;

/** A row of the repair table: what is remedied by which writes, and what is kept although the rule fires. */
export interface RepairCase {
  readonly code: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Writes, in order; none for what is kept. */
  readonly writes: readonly string[];
  readonly verdict?: string;
  readonly without?: RowDatastoreOptions['without'];
}

const A = 'BlockAffinity node-a-10-0-0-0-26';
const B = 'IPAMBlock 10-0-0-0-26';
const PENDING = anAffinity('node-a', '10.0.0.0/26', { state: 'pending' });

/** Every repair with its unsafe cases beside it. */
export const REPAIR_CASES: readonly RepairCase[] = [
  {
    code: 'handle-count-mismatch',
    title: 'sets the count to what the block holds',
    rows: [USED, POD, anAffinity('node-a', '10.0.0.0/26'), aHandle(HANDLE, { '10.0.0.0/26': 3 })],
    writes: [`update IPAMHandle ${HANDLE}`],
  },
  {
    code: 'handle-count-mismatch',
    title: 'keeps a handle whose block cannot be read',
    rows: [
      USED,
      POD,
      aHandle(HANDLE, { '10.0.0.0/26': 2, '10.0.1.0/26': 1 }),
      { kind: 'IPAMBlock', key: { name: '10-0-1-0-26' }, unreadable: 'broken' },
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'missing-handle',
    title: 'creates the row from all blocks',
    rows: [USED, POD, aBlock('10.0.1.0/26', { 0: SLOT })],
    writes: [`create IPAMHandle ${HANDLE}`],
  },
  {
    code: 'missing-handle',
    title: 'keeps an id that cannot be a name',
    rows: [aBlock('10.0.0.0/26', { 3: { ...SLOT, handle: 'not_a_name' } })],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'missing-handle',
    title: 'keeps an id whose name another case has',
    rows: [
      aBlock('10.0.0.0/26', { 3: { ...SLOT, handle: 'Handle' } }),
      aHandle('handle', { '10.0.0.0/26': 1 }),
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'orphan-handle',
    title: 'deletes the row',
    rows: [EMPTY, aHandle('lonely', { '10.0.0.0/26': 1 })],
    writes: ['remove IPAMHandle lonely'],
  },
  {
    code: 'orphan-handle',
    title: 'leaves a young row without harm',
    rows: [EMPTY, aHandle('lonely', {}, { createdAt: YOUNG })],
    writes: [],
    verdict: 'ok',
  },
  {
    code: 'affinity-of-missing-node',
    title: 'gives an empty block and its row up',
    rows: [aBlock('10.0.0.0/26', {}, { affinity: 'host:gone' }), anAffinity('gone', '10.0.0.0/26')],
    writes: [
      'update BlockAffinity gone-10-0-0-0-26',
      `remove ${B}`,
      'remove BlockAffinity gone-10-0-0-0-26',
    ],
  },
  {
    code: 'affinity-of-missing-node',
    title: 'keeps a block that holds an address',
    rows: [
      aBlock('10.0.0.0/26', { 3: SLOT }, { affinity: 'host:gone' }),
      anAffinity('gone', '10.0.0.0/26'),
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'affinity-of-missing-node',
    title: 'keeps a block that cools an address',
    rows: [
      aConfig({ ipCooldownSeconds: 600 }),
      aBlock('10.0.0.0/26', { 3: coolingSlot() }, { affinity: 'host:gone' }),
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'affinity-without-block',
    title: 'deletes the row',
    rows: [anAffinity('node-a', '10.0.0.0/26')],
    writes: [`remove ${A}`],
  },
  {
    code: 'affinity-without-block',
    title: 'keeps the row of a node whose pod has an address in the range',
    rows: [anAffinity('node-a', '10.0.0.0/26'), POD],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'conflicting-affinity',
    title: 'deletes the row that contradicts the block',
    rows: [EMPTY, anAffinity('node-a', '10.0.0.0/26'), anAffinity('node-b', '10.0.0.0/26')],
    writes: ['remove BlockAffinity node-b-10-0-0-0-26'],
  },
  {
    code: 'conflicting-affinity',
    title: 'keeps the row of a node whose pod has an address in the range',
    rows: [
      USED,
      aHandle(HANDLE, { '10.0.0.0/26': 1 }),
      anAffinity('node-a', '10.0.0.0/26'),
      anAffinity('node-b', '10.0.0.0/26'),
      aPod('shop/b', 'node-b', '10.0.0.9'),
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'conflicting-affinity',
    title: 'does nothing while the block has no owner and holds addresses',
    rows: [
      aBlock('10.0.0.0/26', { 3: SLOT }, { affinity: undefined }),
      anAffinity('node-a', '10.0.0.0/26'),
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'block-without-affinity',
    title: 'makes the row as a claim does',
    rows: [USED, POD],
    writes: [`create ${A}`, `update ${B}`, `update ${A}`],
  },
  {
    code: 'block-without-affinity',
    title: 'keeps a block whose owner is no node',
    rows: [aBlock('10.0.0.0/26', {}, { affinity: 'host:gone' })],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'block-without-affinity',
    title: 'keeps a block whose row has another type',
    rows: [EMPTY, anAffinity('node-a', '10.0.0.0/26', { type: 'virtual' })],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'stuck-affinity',
    title: 'confirms an own block',
    rows: [EMPTY, PENDING],
    writes: [`update ${B}`, `update ${A}`],
  },
  {
    code: 'stuck-affinity',
    title: 'finishes the release of an own empty block',
    rows: [EMPTY, { ...PENDING, state: 'pendingDeletion' }],
    writes: [`remove ${B}`, `remove ${A}`],
  },
  {
    code: 'stuck-affinity',
    title: 'keeps the claim of a block that is another',
    rows: [
      aBlock('10.0.0.0/26', {}, { affinity: 'host:node-b' }),
      anAffinity('node-b', '10.0.0.0/26'),
      PENDING,
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'unowned-empty-block',
    title: 'deletes the block',
    rows: [aBlock('10.0.0.0/26', {}, { affinity: undefined })],
    writes: [`remove ${B}`],
  },
  {
    code: 'unowned-empty-block',
    title: 'keeps a block that cools an address',
    rows: [
      aConfig({ ipCooldownSeconds: 600 }),
      aBlock('10.0.0.0/26', { 3: coolingSlot() }, { affinity: undefined }),
    ],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'missing-host-label',
    title: 'sets the labels',
    rows: [EMPTY, anAffinity('node-a', '10.0.0.0/26', { labelled: false })],
    writes: [`update ${A}`],
  },
  {
    code: 'soft-deleted-object',
    title: 'removes the row',
    rows: [aHandle('old', {}, { deleted: true })],
    writes: ['remove IPAMHandle old'],
  },
  {
    code: 'soft-deleted-object',
    title: 'keeps a block that still holds an address',
    rows: [{ ...USED, deleted: true }],
    writes: [],
    verdict: 'refused',
  },
  {
    code: 'cooldown-expired',
    title: 'collects the block',
    rows: [
      aConfig({ ipCooldownSeconds: 10 }),
      aBlock('10.0.0.0/26', { 3: coolingSlot(60_000) }),
      anAffinity('node-a', '10.0.0.0/26'),
    ],
    writes: [`update ${B}`],
  },
];
