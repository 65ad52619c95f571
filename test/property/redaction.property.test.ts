import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryDatastore } from '../../src/datastore/memory/memory-datastore.ts';
import { resourceKindOf } from '../../src/datastore/codec/decode.ts';
import { comparableHandleId } from '../../src/ipam/handle-id.ts';
import { machineHandle } from '../../src/ipam/machine-handle.ts';
import { handleName } from '../../src/ipam/model/names.ts';
import { type JsonObject, RESOURCE_KINDS } from '../../src/ipam/model/resource.ts';
import { MovedAddresses } from '../../src/ipam/redaction/address-map.ts';
import { HandleIds } from '../../src/ipam/redaction/handle-ids.ts';
import { Pseudonyms } from '../../src/ipam/redaction/pseudonyms.ts';
import { type Address, compareAddresses } from '../../src/net/address.ts';
import {
  type Cidr,
  cidrOf,
  cidrsOverlap,
  compareCidrs,
  containsAddress,
  containsCidr,
  lastAddress,
} from '../../src/net/cidr.ts';
import { parseTime } from '../../src/support/time.ts';
import { damaged } from '../support/damaged-dump.ts';
import { readFixtures } from '../support/fixture.ts';
import { readDump } from '../support/load-objects.ts';
import { answersOf, KEY, openText, snapshotText } from '../support/snapshot-answers.ts';

const names = new Pseudonyms(KEY);

/** Texts as damage makes them: other case, control characters, slashes, nothing. */
const aName = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('alder', 'Alder', 'ALDER', 'al\rder', 'a/b', 'A%2fb', ''),
);

const aHandle = fc.oneof(
  aName.map((name) => `k8s-pod-network.${name}`),
  aName.map((name) => `vxlan-v6-tunnel-addr-${name}`),
  aName.map((name) => `lb-${name}`),
  fc.tuple(aName, aName).map(([namespace, name]) => `net.vmi.${namespace}.${name}`),
  fc.constantFrom('windows-reserved-ipam-handle', 'Windows-Reserved-IPAM-Handle'),
  aName,
);

const aCidr: fc.Arbitrary<Cidr> = fc.oneof(
  fc
    .tuple(fc.nat(0xffff), fc.integer({ min: 16, max: 32 }))
    .map(([host, length]) => cidrOf((0x0a000000 + host) as Address, length)),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 0xffffn }), fc.integer({ min: 112, max: 128 }))
    .map(([host, length]) => cidrOf(((0xfd00n << 112n) + host) as Address, length)),
);

describe('ipam/redaction (properties)', () => {
  it('gives two names two pseudonyms, and one name one', () => {
    fc.assert(
      fc.property(aName, aName, (a, b) => {
        expect(names.name('node', a) === names.name('node', b)).to.equal(a === b);
      }),
    );
  });

  it('gives the lower case of a handle the lower case of its pseudonym', () => {
    const handles = new HandleIds(names, []);
    fc.assert(
      fc.property(aHandle, (id) => {
        expect(handles.map(handleName(id))).to.equal(handleName(handles.map(id)));
      }),
    );
  });

  it('cuts pseudonyms where handles are cut', () => {
    const handles = new HandleIds(names, []);
    fc.assert(
      fc.property(
        aHandle,
        fc.constantFrom('\r', '\r\n', '\u0000', '\u007f'),
        aName,
        (id, cut, end) => {
          const long = id + cut + end;
          expect(comparableHandleId(handles.map(long))).to.equal(
            handles.map(comparableHandleId(long)),
          );
        },
      ),
    );
  });

  it('gives two handles two pseudonyms', () => {
    const handles = new HandleIds(names, []);
    fc.assert(
      fc.property(aHandle, aHandle, (a, b) => {
        expect(handles.map(a) === handles.map(b)).to.equal(a === b);
      }),
    );
  });

  it('gives the handle of a machine the handle of its pseudonym, however long it is', () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,40}$/);
    const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,100}[a-z0-9]$/);
    const network = fc.constantFrom('k8s-pod-network', 'multus', 'foo.vmi.bar');
    fc.assert(
      fc.property(network, label, name, (net, namespace, machine) => {
        const handles = new HandleIds(names, [{ namespace, name: machine }]);
        const mapped = net === 'k8s-pod-network' ? net : names.word('net', net);
        expect(handles.map(machineHandle(net, namespace, machine))).to.equal(
          machineHandle(mapped, names.name('ns', namespace), names.name('vm', machine)),
        );
      }),
    );
  });

  it('keeps sizes, order, overlaps and containment of ranges, and ordinals in them', () => {
    fc.assert(
      fc.property(fc.array(aCidr, { minLength: 2, maxLength: 12 }), (cidrs) => {
        const moved = new MovedAddresses(cidrs);
        for (const a of cidrs) {
          const to = moved.cidr(a);
          expect(to.length).to.equal(a.length);
          expect(moved.address(a.base)).to.equal(to.base);
          expect(moved.address(lastAddress(a))).to.equal(lastAddress(to));
          for (const b of cidrs) {
            const other = moved.cidr(b);
            expect(containsCidr(to, other)).to.equal(containsCidr(a, b));
            expect(cidrsOverlap(to, other)).to.equal(cidrsOverlap(a, b));
            expect(Math.sign(compareCidrs(to, other))).to.equal(Math.sign(compareCidrs(a, b)));
          }
        }
      }),
    );
  });

  it('moves addresses outside of all ranges to where no range is, one to one', () => {
    fc.assert(
      fc.property(fc.array(aCidr, { minLength: 1 }), fc.array(aCidr), (cidrs, others) => {
        const moved = new MovedAddresses(cidrs);
        const strays = others
          .map(({ base }) => base)
          .filter((address) => !cidrs.some((cidr) => containsAddress(cidr, address)));
        const images = strays.map((address) => moved.address(address));
        for (const image of images)
          expect(cidrs.some((cidr) => containsAddress(moved.cidr(cidr), image))).to.equal(false);
        expect(new Set(images).size).to.equal(new Set(strays).size);
        for (const [i, image] of images.entries()) expect(typeof image).to.equal(typeof strays[i]);
      }),
    );
  });

  it('keeps neighbours outside of all ranges in order', () => {
    fc.assert(
      fc.property(fc.nat(254), fc.nat(254), (a, b) => {
        const moved = new MovedAddresses([]);
        const [first, second] = [a, b].map((host) =>
          moved.address((0xc0a80500 + host) as Address),
        ) as [Address, Address];
        expect(Math.sign(compareAddresses(first, second))).to.equal(Math.sign(a - b));
      }),
    );
  });
});

/** Other texts in the place of one: damage of handle ids, other case, other places, no addresses. */
function alter(text: string): readonly string[] {
  return [
    `${text}\r`,
    `${text}\r\neth0`,
    text.toUpperCase(),
    `${text}x`,
    `${text}/99`,
    ` ${text} `,
    '10.0.0.5',
    '::ffff:10.0.0.5',
    '010.1.1.1',
    'fd00::1/64',
    'host:',
    'rack:7',
    'all()',
    'zone in {"a"',
    '',
  ];
}

const CASES = [
  'healthy-dual-stack',
  'healthy-in-the-newer-api-group',
  'machines-stopped-migrating-and-gone',
  'tunnels-of-both-families',
  'several-faults-at-once',
  'carriage-return-in-handle-ids',
  'load-balancer-pool-with-lost-and-live-addresses',
  'one-block-pool-under-strict-affinity',
];

describe('redacted snapshots of damaged clusters', () => {
  for (const fixture of readFixtures().filter(({ name }) => CASES.includes(name))) {
    for (const level of ['names', 'all'] as const) {
      it(`answer as ${fixture.name} does (${level})`, async function () {
        this.timeout(60_000);
        const now = parseTime(fixture.expect.clock) ?? 0;
        const dump = await readDump(fixture.input ?? '');
        await fc.assert(
          fc.asyncProperty(damaged(dump, alter), async (objects) => {
            const source = filled(objects, dump.absent);
            const snapshot = await openText(await snapshotText(source, level));
            expect(await answersOf(snapshot, now)).to.deep.equal(await answersOf(source, now));
          }),
          { numRuns: 40 },
        );
      });
    }
  }
});

function filled(objects: readonly JsonObject[], absent: readonly string[]): MemoryDatastore {
  const datastore = new MemoryDatastore({ datastore: 'memory' });
  for (const kind of RESOURCE_KINDS) if (!absent.includes(kind)) datastore.declare(kind);
  for (const object of objects) {
    const kind = resourceKindOf(object['apiVersion'] as string, object['kind'] as string);
    if (kind) datastore.put(kind, object);
  }
  return datastore;
}
