import { expect } from 'chai';
import {
  decodeEntry,
  decodeObject,
  resourceKindOf,
} from '../../../../src/datastore/codec/decode.ts';
import { hostnameHash } from '../../../../src/ipam/model/names.ts';
import type { JsonObject, JsonValue, ResourceKind } from '../../../../src/ipam/model/resource.ts';
import type { Redactor } from '../../../../src/ipam/redaction/redactor.ts';
import { type RedactionLevel, RedactionSurvey } from '../../../../src/ipam/redaction/survey.ts';
import { selects } from '../../../../src/ipam/selector/evaluate.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import { KEY } from '../../../support/snapshot-answers.ts';

const CRD = 'crd.projectcalico.org/v1';

const pool = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: CRD,
  kind: 'IPPool',
  metadata: { name },
  spec,
});

const POOL = pool('main', { cidr: '10.0.0.0/24', blockSize: 28, nodeSelector: 'zone == "a"' });

const affinity = (name: string, spec: JsonValue, labels: JsonObject = {}): JsonObject => ({
  apiVersion: CRD,
  kind: 'BlockAffinity',
  metadata: { name, labels },
  spec,
});

/** A redactor of a cluster that consists of these objects, and what it makes of one of them. */
function redactorOf(level: RedactionLevel, objects: readonly JsonObject[] = [POOL]): Redactor {
  const survey = new RedactionSurvey({ level, key: KEY });
  for (const object of objects) {
    const row = decodeObject(kindOf(object), object);
    if (row !== undefined && survey.kinds.includes(row.kind)) survey.add({ ...row, object });
  }
  return survey.build();
}

function kindOf({ apiVersion, kind }: JsonObject): ResourceKind {
  return resourceKindOf(apiVersion as string, kind as string)!;
}

function redact(redactor: Redactor, object: JsonObject): JsonObject {
  return redactor.object(decodeObject(kindOf(object), object)!, object);
}

const at = (value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined =>
  path.reduce<JsonValue | undefined>((holder, name) => (holder as JsonObject)[name], value);

describe('ipam/redaction', () => {
  it('keeps of a pod what IPAM reads, and nothing else', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'cart-0',
        namespace: 'shop',
        labels: { app: 'cart' },
        annotations: { 'cni.projectcalico.org/podIPs': '10.0.0.1/32, fd00::1', note: 'secret' },
      },
      spec: { nodeName: 'alder', hostNetwork: false, containers: [{ image: 'secret' }] },
      status: { phase: 'Running', podIP: '10.0.0.1', hostIP: '192.0.2.1', reason: 'secret' },
    };
    const redacted = redact(redactorOf('names'), pod);
    expect(redacted).to.have.all.keys('apiVersion', 'kind', 'metadata', 'spec', 'status');
    expect(redacted['status']).to.deep.equal({ phase: 'Running', podIP: '10.0.0.1' });
    expect(at(redacted, 'metadata', 'annotations')).to.deep.equal({
      'cni.projectcalico.org/podIPs': '10.0.0.1/32, fd00::1',
    });
    expect(at(redacted, 'spec')).to.have.all.keys('nodeName', 'hostNetwork');
    expect(stringifyJson(redacted)).not.to.match(/secret|cart|shop|alder/);
  });

  it('keeps the name of an affinity the one that follows from owner and block, and its label right', () => {
    const row = affinity(
      'alder-10-0-0-16-28',
      { node: 'alder', type: 'host', cidr: '10.0.0.16/28', state: 'confirmed' },
      { 'projectcalico.org/hostname-hash': hostnameHash('alder'), owner: 'alice' },
    );
    const redacted = redact(redactorOf('all', [POOL, row]), row);
    const node = at(redacted, 'spec', 'node') as string;
    expect(at(redacted, 'metadata', 'name')).to.equal(`${node}-240-0-0-16-28`);
    expect(at(redacted, 'metadata', 'labels')).to.deep.equal({
      'projectcalico.org/hostname-hash': hostnameHash(node),
    });
  });

  it('reads owner and block off the name of an affinity that says neither', () => {
    const sound = affinity('a-fd-10-0-0-16-28', { node: 'a-fd', cidr: '10.0.0.16/28' });
    const redactor = redactorOf('names', [POOL]);
    const broken = redact(redactor, affinity('a-fd-10-0-0-16-28', 'none'));
    expect(at(broken, 'metadata', 'name')).to.equal(
      at(redact(redactor, sound), 'metadata', 'name'),
    );
    expect(broken['spec']).to.match(/^text-/);
  });

  it('takes the reading of such a name whose block is in a pool', () => {
    const v6 = pool('six', { cidr: 'fd00::/64' });
    const sound = affinity('node-a-fd00--40-122', { node: 'node-a', cidr: 'fd00::40/122' });
    const redactor = redactorOf('names', [v6]);
    const name = (object: JsonObject): JsonValue | undefined =>
      at(redact(redactor, object), 'metadata', 'name');
    expect(name(affinity('node-a-fd00--40-122', {}))).to.equal(name(sound));
  });

  it('keeps pools in the order of their names, which decides between equal ones', () => {
    const names = ['zebra', 'alpha', 'Main', 'main'];
    const pools = names.map((name) => pool(name, { cidr: '10.0.0.0/24' }));
    const redactor = redactorOf('names', pools);
    const mapped = pools.map(
      (object) => at(redact(redactor, object), 'metadata', 'name') as string,
    );
    const order = (texts: readonly string[]): number[] =>
      texts.map((_, i) => i).sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
    expect(order(mapped)).to.deep.equal(order(names));
    for (const name of mapped) expect(name).to.match(/^pool-\d-[0-9a-f]{6}$/);
  });

  const SELECTORS = [
    'zone == "a"',
    'zone != "a"',
    'has(zone) && !(rack in {"r1", "r2"})',
    'zone starts with "eu" || rack contains "1"',
    'all()',
    '',
  ];
  const LABELS = [{}, { zone: 'a' }, { zone: 'eu-1', rack: 'r3' }, { rack: 'r1' }, { rack: 'x' }];

  for (const selector of SELECTORS) {
    it(`chooses the same nodes without their labels: ${selector || 'a blank selector'}`, () => {
      const chosen = pool('main', { cidr: '10.0.0.0/24', nodeSelector: selector });
      const redactor = redactorOf('names', [chosen]);
      const redacted = at(redact(redactor, chosen), 'spec', 'nodeSelector') as string;
      expect(redacted).not.to.match(/zone|rack|eu/);
      for (const labels of LABELS) {
        const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'alder', labels } };
        const left = at(redact(redactor, node), 'metadata', 'labels') as Record<string, string>;
        expect(selects(redacted, left)).to.equal(selects(selector, labels));
        expect(stringifyJson(left)).not.to.match(/zone|rack|eu/);
      }
    });
  }

  it('leaves a selector unreadable that was', () => {
    const broken = pool('main', { cidr: '10.0.0.0/24', nodeSelector: 'zone = "a"' });
    const text = at(
      redact(redactorOf('names', [broken]), broken),
      'spec',
      'nodeSelector',
    ) as string;
    expect(selects(text, {})).to.equal(undefined);
  });

  it('knows a pod that runs a machine by the name of the machine', () => {
    const machine = {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { cloudInit: 'secret' },
    };
    const redactor = redactorOf('names', [machine]);
    const name = (metadata: JsonObject, kind: 'Pod' | 'VirtualMachine'): string => {
      const apiVersion = kind === 'Pod' ? 'v1' : 'kubevirt.io/v1';
      const object = { apiVersion, kind, metadata: { ...metadata, namespace: 'shop' } };
      return at(redact(redactor, object), 'metadata', 'name') as string;
    };
    const mapped = name({ name: 'web' }, 'VirtualMachine');
    expect(name({ name: 'virt-launcher-web-x-yz' }, 'Pod')).to.match(
      new RegExp(`^virt-launcher-${mapped}-pod-`),
    );
    // Of a machine that is not there the last dash tells.
    expect(name({ name: 'virt-launcher-db-1-abc' }, 'Pod')).to.match(
      new RegExp(`^virt-launcher-${name({ name: 'db-1' }, 'VirtualMachine')}-pod-`),
    );
    expect(stringifyJson(redact(redactor, machine))).not.to.match(/secret|web|shop/);
  });

  for (const [what, text] of Object.entries({
    'no address': 'nonsense',
    'leading zeros': '010.1.1.1',
    'a prefix that is too long': '10.0.0.0/33',
    'a name behind the slash': '10.0.0.0/secret',
  })) {
    it(`keeps a block damaged whose prefix is ${what}`, () => {
      const block = {
        apiVersion: CRD,
        kind: 'IPAMBlock',
        metadata: { name: '10-0-0-0-28' },
        spec: { cidr: text, allocations: [null] },
      };
      const redacted = redact(redactorOf('all', [POOL, block]), block);
      expect(decodeObject('IPAMBlock', redacted)).to.have.property('unreadable');
      expect(at(redacted, 'metadata', 'name')).to.equal('240-0-0-0-28');
      expect(stringifyJson(redacted)).not.to.match(/nonsense|secret|10\.0\.0|010/);
    });
  }

  it('keeps two spellings of one block two, and a count that is none', () => {
    const handle = {
      apiVersion: CRD,
      kind: 'IPAMHandle',
      metadata: { name: 'x' },
      spec: {
        handleID: 'x',
        block: { '10.0.0.0/28': 1, '10.0.0.1/28': 2, '::ffff:10.0.0.0/124': 3, nonsense: 4 },
      },
    };
    const block = at(redact(redactorOf('all'), handle), 'spec', 'block') as JsonObject;
    expect(Object.keys(block).slice(0, 3)).to.deep.equal([
      '240.0.0.0/28',
      '240.0.0.1/28',
      '::ffff:240.0.0.0/124',
    ]);
    expect(Object.values(block)).to.deep.equal([1, 2, 3, 4]);
  });

  it('leaves out why the datastore was locked, and by whom', () => {
    const mark = { by: 'alice@laptop', at: '2026-11-29T12:00:00Z', reason: 'move of acme' };
    const information = {
      apiVersion: CRD,
      kind: 'ClusterInformation',
      metadata: {
        name: 'default',
        annotations: { 'ipamctl.projectcalico.org/lock': JSON.stringify(mark), note: 'secret' },
      },
      spec: { clusterGUID: 'abc', calicoVersion: 'v3.33.0-acme', datastoreReady: false },
    };
    const redacted = redact(redactorOf('names'), information);
    expect(stringifyJson(redacted)).not.to.match(/alice|laptop|acme|secret/);
    expect(stringifyJson(redacted)).to.match(/user-.*2026-11-29T12:00:00Z/);
    expect(at(redacted, 'spec', 'datastoreReady')).to.equal(false);
  });

  const ENTRIES: readonly (readonly [string, JsonValue, RegExp])[] = [
    [
      '/calico/ipam/v2/assignment/ipv4/block/10.0.0.0-28',
      { cidr: '10.0.0.0/28', affinity: 'host:alder' },
      /^\/calico\/ipam\/v2\/assignment\/ipv4\/block\/240\.0\.0\.0-28$/,
    ],
    [
      '/calico/ipam/v2/host/al%2fder/ipv4/block/10.0.0.0-28',
      { state: 'confirmed' },
      /^\/calico\/ipam\/v2\/host\/node-\w+%2fnode-\w+\/ipv4\/block\/240\.0\.0\.0-28$/,
    ],
    [
      '/calico/ipam/v2/virtual/load-balancer/ipv4/block/10.0.0.0-28',
      '',
      /^\/calico\/ipam\/v2\/virtual\/load-balancer\/ipv4\/block\/240\.0\.0\.0-28$/,
    ],
    [
      '/calico/ipam/v2/host/alder/what',
      {},
      /^\/calico\/ipam\/v2\/host\/affinity-\w+\/affinity-\w+$/,
    ],
    ['/calico/ipam/v2/handle/acme.alder', { block: {} }, /handle\/net-\w+\.ctr-\w+$/],
    ['/calico/ipam/v2/handle/alder', 'no JSON', /handle\/id-\w+$/],
    ['/calico/ipam/v2/config', { strict_affinity: true }, /^\/calico\/ipam\/v2\/config$/],
    [
      '/calico/resources/v3/projectcalico.org/workloadendpoints/acme/alder-k8s-cart-eth0',
      {
        metadata: { namespace: 'acme', name: 'alder-k8s-cart-eth0' },
        spec: { node: 'alder', pod: 'cart', orchestrator: 'k8s' },
      },
      /workloadendpoints\/ns-\w+\/node--\w+-k8s-pod--\w+-eth0$/,
    ],
  ];

  for (const [path, value, wanted] of ENTRIES) {
    it(`replaces names and prefixes in the key ${path}`, () => {
      const row = decodeEntry(path, value)!;
      const entry = redactorOf('all').entry(row, { path, value });
      expect(entry.path).to.match(wanted);
      const again = decodeEntry(entry.path, entry.value)!;
      expect('unreadable' in again).to.equal('unreadable' in row);
      expect(stringifyJson(entry)).not.to.match(/alder|acme|cart|10\.0\.0/);
    });
  }

  it('refuses ranges for which there is no room', () => {
    const pools = [pool('a', { cidr: '0.0.0.0/1' }), pool('b', { cidr: '128.0.0.0/2' })];
    expect(() => redactorOf('all', pools)).to.throw(/larger than the space/);
    expect(() => redactorOf('names', pools)).not.to.throw();
  });

  it('finds room for a pool of all addresses, which tells nothing', () => {
    const all = pool('all', { cidr: '0.0.0.0/0' });
    const redactor = redactorOf('all', [all, POOL]);
    expect(at(redact(redactor, all), 'spec', 'cidr')).to.equal('0.0.0.0/0');
    expect(at(redact(redactor, POOL), 'spec', 'cidr')).to.equal('240.0.0.0/24');
  });
});
