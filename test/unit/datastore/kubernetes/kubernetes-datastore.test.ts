import { expect } from 'chai';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { ConfigError } from '../../../../src/errors/config-error.ts';
import {
  RESOURCE_KINDS,
  type ResourceKind,
  type Revision,
} from '../../../../src/ipam/model/resource.ts';
import { collectionOf, RESOURCES } from '../../../support/fake-api/resources.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { failureOf, openOnFake, storedPool, takeRows } from '../../../support/kubernetes-fake.ts';

/** Every kind that a whole check looks at. */
const CHECK_KINDS = RESOURCE_KINDS.filter((kind) => kind !== 'WorkloadEndpoint');

const pathOf = (kind: string): string => {
  const resource = RESOURCES.find((one) => one.kind === kind);
  if (!resource) throw new Error(kind);
  return collectionOf(resource);
};

describe('datastore/kubernetes/kubernetes-datastore', () => {
  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startFakeApiServer({ groups: ['crd.projectcalico.org', 'kubevirt.io'] });
  });

  afterEach(async () => {
    await server.stop();
  });

  it('needs 14 requests for all kinds', async () => {
    const datastore = await openOnFake(server);
    await Promise.all(CHECK_KINDS.map((kind) => takeRows(datastore, kind)));
    expect(server.seen()).to.have.length(14);
  });

  it('asks for nothing of KubeVirt where its group is not served', async () => {
    server.groups.delete('kubevirt.io');
    const datastore = await openOnFake(server);
    for (const kind of ['VirtualMachine', 'VirtualMachineInstance'] as const) {
      expect((await datastore.list(kind)).absent).to.equal('not-installed');
      expect(await datastore.get(kind, { namespace: 'a', name: 'b' })).to.equal(undefined);
    }
    expect(server.seen()).to.have.length(1);
  });

  for (const [minor, asked] of [
    ['33', 0],
    ['33+', 0],
    ['32', 1],
  ] as const) {
    it(`${asked === 0 ? 'sees from discovery' : 'asks'} how old Kubernetes 1.${minor} is`, async () => {
      await server.stop();
      server = await startFakeApiServer({ minor });
      await openOnFake(server);
      expect(server.seen('/version')).to.have.length(asked);
    });
  }

  it('asks a server that does not list its resources how old it is', async () => {
    server.listsResources = false;
    const datastore = await openOnFake(server);
    expect(server.seen('/version')).to.have.length(1);
    await takeRows(datastore, 'Pod');
    expect(server.seen(pathOf('Pod'))[0]?.query.get('limit')).to.equal(null);
  });

  for (const listsResources of [true, false]) {
    it(`sees that KubeVirt has no machines, ${listsResources ? 'from discovery' : 'from the answer'}`, async () => {
      server.listsResources = listsResources;
      server.missing.add('virtualmachines.kubevirt.io');
      expect((await (await openOnFake(server)).list('VirtualMachine')).absent).to.equal(
        'not-installed',
      );
      expect(server.seen(pathOf('VirtualMachine'))).to.have.length(listsResources ? 0 : 1);
    });
  }

  it('has no workload endpoints', async () => {
    expect((await (await openOnFake(server)).list('WorkloadEndpoint')).absent).to.equal(
      'not-installed',
    );
  });

  it('reads the objects of which one counts by name, with no other right', async () => {
    server.put({
      ...storedPool('x'),
      kind: 'ClusterInformation',
      metadata: { name: 'default' },
      spec: { clusterGUID: 'g' },
    });
    const datastore = await openOnFake(server);
    const { rows } = await takeRows(datastore, 'ClusterInformation');
    expect(rows[0]).to.include({ clusterGUID: 'g' }).and.not.have.property('object');
    expect(server.seen().at(-1)?.path).to.equal(`${pathOf('ClusterInformation')}/default`);
    const kept = await takeRows(datastore, 'ClusterInformation', { keep: () => true });
    expect(kept.rows[0]?.object).to.have.nested.property('spec.clusterGUID', 'g');
  });

  for (const kind of [
    'IPReservation',
    'KubeControllersConfiguration',
    'IPAMConfig',
    'ClusterInformation',
  ] as const) {
    it(`takes the absence of ${kind} for none`, async () => {
      const path = pathOf(kind) + (kind === 'IPReservation' ? '' : '/default');
      server.fail({ path, fault: { type: 'status', status: 404 } });
      const listing = await (await openOnFake(server)).list(kind);
      expect(listing.absent).to.equal(undefined);
    });
  }

  for (const kind of ['IPAMBlock', 'IPPool', 'IPAMHandle', 'BlockAffinity'] as const) {
    it(`cannot go on without ${kind}`, async () => {
      server.fail({ path: pathOf(kind), fault: { type: 'status', status: 404 } });
      const error = await failureOf(takeRows(await openOnFake(server), kind));
      expect(error).to.be.instanceOf(ConfigError);
      expect(error.message).to.include(`does not serve ${kind}`).and.include(pathOf(kind));
      expect(error).to.have.property('hint').that.includes('custom resource definitions');
    });
  }

  it('names the right that is missing', async () => {
    const expected: Partial<Record<ResourceKind, object>> = {
      Pod: { verb: 'list', resource: 'pods' },
      IPAMBlock: { verb: 'list', resource: 'ipamblocks', apiGroup: 'crd.projectcalico.org' },
      ClusterInformation: {
        verb: 'get',
        resource: 'clusterinformations',
        apiGroup: 'crd.projectcalico.org',
      },
    };
    const datastore = await openOnFake(server);
    for (const [kind, right] of Object.entries(expected) as [
      ResourceKind,
      { resource: string },
    ][]) {
      server.forbid(right.resource);
      const error = await failureOf(takeRows(datastore, kind));
      expect(error).to.be.instanceOf(AccessDeniedError);
      expect(error).to.have.nested.property('details.denied').that.deep.equals([right]);
      expect(error.message).to.include('is forbidden: User "admin"');
    }
  });

  it('compares revisions as integers', async () => {
    const datastore = await openOnFake(server);
    const compare = (a: string, b: string) =>
      datastore.compareRevisions(a as Revision, b as Revision);
    expect([compare('9', '10'), compare('10', '9'), compare('7', '7')]).to.deep.equal([-1, 1, 0]);
    expect(compare('9007199254740993', '9007199254740992')).to.equal(1);
    expect(compare('a', '1')).to.equal(undefined);
  });

  it('says where it is', async () => {
    expect((await openOnFake(server)).describe()).to.deep.equal({
      datastore: 'kubernetes',
      context: 'fake',
      server: server.url,
      apiGroup: 'crd.projectcalico.org/v1',
    });
  });

  it('goes no faster than it may', async () => {
    const waits: number[] = [];
    const ports = {
      now: () => 0,
      random: () => 0,
      sleep: (ms: number) => Promise.resolve(void waits.push(ms)),
    };
    const rate = { value: 2, origin: '--qps' };
    const datastore = await openOnFake(
      server,
      { qps: rate, burst: { value: 3, origin: 'test' } },
      ports,
    );
    await Promise.all(
      ['Pod', 'Node', 'Service', 'IPPool'].map((kind) => takeRows(datastore, kind as ResourceKind)),
    );
    expect(waits).to.deep.equal([500, 1000]);
  });
});
