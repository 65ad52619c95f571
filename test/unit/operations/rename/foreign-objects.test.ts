import { expect } from 'chai';
import { BesideKubernetes } from '../../../../src/datastore/beside-kubernetes.ts';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import { EtcdDatastore } from '../../../../src/datastore/etcd/etcd-datastore.ts';
import type {
  ObjectKind,
  ObjectListing,
  ObjectStore,
} from '../../../../src/datastore/object-store.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { foreignNotes } from '../../../../src/operations/rename/foreign-objects.ts';
import type { JsonObject } from '../../../../src/support/json.ts';
import { etcdSource } from '../../../support/export-world.ts';
import { MemoryEtcd } from '../../../support/memory-etcd.ts';
import { names } from '../../../support/rename-world.ts';
import { contextOf, ScriptedDatastore } from '../../../support/scripted-datastore.ts';

type Answer = readonly JsonObject[] | 'not-loaded' | 'not-installed' | 'denied';

function named(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec };
}

/** What is said of objects that a datastore has by kind. */
function notes(
  answers: Partial<Record<ObjectKind, Answer>> | undefined,
): Promise<readonly string[]> {
  const list = (kind: ObjectKind): Promise<ObjectListing> => {
    const answer = answers?.[kind] ?? [];
    if (answer === 'denied') throw new AccessDeniedError('no');
    const absent = typeof answer === 'string' ? answer : undefined;
    const objects = (async function* () {
      if (typeof answer !== 'string') yield answer;
    })();
    return Promise.resolve({ absent, objects });
  };
  const datastore = new ScriptedDatastore([]);
  const objects = answers && ({ list } as unknown as ObjectStore);
  return foreignNotes(contextOf(Object.assign(datastore, { objects })), names({ alder: 'oak' }));
}

describe('operations/rename/foreign-objects', () => {
  it('tells of configurations, peers, endpoints and statuses that keep the old name', async () => {
    const [note] = await notes({
      FelixConfiguration: [named('default'), named('node.alder'), named('node.elm')],
      BGPConfiguration: [named('node.alder')],
      BGPPeer: [named('rack', { node: 'alder' }), named('global')],
      HostEndpoint: [named('eth0', { node: 'alder' })],
      CalicoNodeStatus: [named('watch', { node: 'alder' })],
    });
    for (const name of [
      'FelixConfiguration node.alder',
      'BGPConfiguration node.alder',
      'BGPPeer rack',
      'HostEndpoint eth0',
      'CalicoNodeStatus watch',
    ])
      expect(note).to.contain(name);
    expect(note).to.not.contain('elm');
  });

  it('says how many there are when they are more than a sentence holds', async () => {
    const peers = Array.from({ length: 9 }, (_, at) => named(`peer-${at}`, { node: 'alder' }));
    expect((await notes({ BGPPeer: peers }))[0])
      .to.contain('9 objects')
      .and.to.contain('4 more');
  });

  it('says which kinds it could not see, and nothing of those that are not installed', async () => {
    expect(await notes({ BGPPeer: 'not-installed' })).to.deep.equal([]);
    const [note] = await notes({ BGPPeer: 'not-loaded', HostEndpoint: 'denied' });
    expect(note).to.contain('BGPPeer, HostEndpoint');
    expect((await notes(undefined))[0]).to.contain('FelixConfiguration');
  });

  describe('in etcd', () => {
    const ENDPOINTS = '/calico/resources/v3/projectcalico.org/workloadendpoints';
    let etcd: MemoryEtcd;

    beforeEach(() => {
      etcd = new MemoryEtcd();
      for (const host of ['alder', 'elm']) etcd.put(`/calico/ipam/v2/host/${host}`, '{}');
      for (const [node, pod] of [
        ['alder', 'cart'],
        ['elm', 'web'],
      ])
        etcd.put(
          `${ENDPOINTS}/shop/${node}-k8s-${pod}-eth0`,
          JSON.stringify({
            kind: 'WorkloadEndpoint',
            apiVersion: 'projectcalico.org/v3',
            metadata: { name: `${node}-k8s-${pod}-eth0`, namespace: 'shop' },
            spec: { orchestrator: 'k8s', node, pod, endpoint: 'eth0' },
          }),
        );
      etcd.put(`${ENDPOINTS}/shop/alder-k8s-broken-eth0`, '{"spec": 7}');
    });

    const stores: Readonly<Record<string, () => WritableDatastore>> = {
      alone: () => new EtcdDatastore(etcd),
      'beside a cluster': () =>
        new BesideKubernetes(new EtcdDatastore(etcd), new ScriptedDatastore([])),
    };

    for (const [where, open] of Object.entries(stores))
      it(`tells of host markers and workload endpoints, ${where}`, async () => {
        const [note] = await foreignNotes(contextOf(open()), names({ alder: 'oak' }));
        expect(note).to.include('host marker alder, WorkloadEndpoint shop/alder-k8s-cart-eth0.');
        expect(note).to.not.include('elm');
      });

    it('changes none of them', async () => {
      const written: string[] = [];
      etcd.onRequest = (request) =>
        written.push(...(/^(?:range|get) /.test(request) ? [] : [request]));
      await foreignNotes(contextOf(new EtcdDatastore(etcd)), names({ alder: 'oak' }));
      expect(written).to.deep.equal([]);
    });

    it('says that it could not see what may not be read', async () => {
      etcd.onRequest = (request) => {
        if (/host\/|workloadendpoints/.test(request)) throw new AccessDeniedError('no');
      };
      const found = await foreignNotes(contextOf(new EtcdDatastore(etcd)), names({ alder: 'oak' }));
      expect(found.join()).to.include('whether a host marker, WorkloadEndpoint still');
    });
  });

  it('asks for none of that in Kubernetes, nor of a file that holds none', async () => {
    expect(await notes({})).to.deep.equal([]);
    const memory = etcdSource([]);
    expect((await foreignNotes(contextOf(memory), names({ alder: 'oak' }))).join()).to.not.include(
      'Endpoint s',
    );
  });
});
