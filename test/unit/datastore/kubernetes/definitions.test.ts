import { expect } from 'chai';
import type { WritableDatastore } from '../../../../src/datastore/datastore.ts';
import {
  type Definition,
  type DefinitionStore,
  readDefinitions,
} from '../../../../src/datastore/definitions.ts';
import { AccessDeniedError } from '../../../../src/errors/access-denied-error.ts';
import { ConfigError } from '../../../../src/errors/config-error.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import { UsageError } from '../../../../src/errors/usage-error.ts';
import { allDefinitions, type CrdGroup } from '../../../support/crds.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { type NotingPorts, notingPorts, openWritable } from '../../../support/open-writable.ts';
import { failureOf } from '../../../support/temp-folder.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definitionsOf = (group: CrdGroup = 'crd.projectcalico.org'): readonly Definition[] =>
  readDefinitions(allDefinitions(group));

describe('datastore/kubernetes: definitions', () => {
  let server: FakeApiServer;
  let ports: NotingPorts;
  let datastore: WritableDatastore;
  let definitions: DefinitionStore;

  const open = async (groupIfAbsent?: string): Promise<void> => {
    ports = notingPorts();
    datastore = await openWritable(server, ports, { groupIfAbsent });
    if (datastore.definitions === undefined) throw new Error('no definitions');
    ({ definitions } = datastore);
  };

  beforeEach(async () => {
    server = await startFakeApiServer({ groups: [] });
  });

  afterEach(async () => {
    await datastore.close();
    await server.stop();
  });

  it('are not applied by somebody who may not, and every missing verb is named', async () => {
    await open('crd.projectcalico.org/v1');
    server.forbid('customresourcedefinitions');
    const error = await failureOf(definitions.install(definitionsOf()));
    expect(error).to.be.instanceOf(AccessDeniedError);
    const where = 'customresourcedefinitions.apiextensions.k8s.io';
    expect(error.message).to.equal(`access denied: get ${where}, patch ${where}, create ${where}`);
    expect(server.requests.filter(({ method }) => method === 'PATCH')).to.deep.equal([]);
  });

  it('count as served where they may not be asked for: whoever reads the kind is told', async () => {
    await open('crd.projectcalico.org/v1');
    server.groups.add('crd.projectcalico.org');
    server.forbid('ippools');
    expect(await definitions.missing(['IPPool'])).to.deep.equal([]);
  });

  it('are applied by the server, and what they define is served then', async () => {
    await open('crd.projectcalico.org/v1');
    expect(await definitions.missing(['IPPool', 'IPAMBlock', 'Tier', 'Node'])).to.deep.equal([
      'IPPool',
      'IPAMBlock',
      'Tier',
    ]);
    const all = definitionsOf();
    const result = await definitions.install(all);
    expect(result).to.deep.equal({ installed: all.map(({ name }) => name), present: [] });
    const patches = server.requests.filter(({ method }) => method === 'PATCH');
    expect(patches).to.have.length(all.length);
    for (const { query, headers } of patches) {
      expect(query.get('fieldManager')).to.equal('ipamctl');
      expect(query.has('force')).to.equal(false);
      expect(headers['content-type']).to.equal('application/apply-patch+yaml');
    }
    expect(await definitions.missing(['IPPool', 'IPAMBlock', 'Tier'])).to.deep.equal([]);
    expect((await datastore.objects?.list('Tier'))?.absent).to.equal(undefined);
    expect((await datastore.list('IPAMBlock')).absent).to.equal(undefined);
  });

  it('stay as they are where the server has them', async () => {
    await open('crd.projectcalico.org/v1');
    const all = definitionsOf();
    await definitions.install(all.slice(0, 3));
    const names = all.map(({ name }) => name);
    const before = server.store.get(DEFINITIONS, names[0] ?? '');
    expect(await definitions.install(all)).to.deep.equal({
      installed: names.slice(3),
      present: names.slice(0, 3),
    });
    expect(server.store.get(DEFINITIONS, names[0] ?? '')).to.deep.equal(before);
  });

  it('are waited for until they are served', async () => {
    await open('crd.projectcalico.org/v1');
    server.establishes = false;
    const [first] = definitionsOf();
    if (first === undefined) throw new Error('no definition');
    server.onRequest = (path, nth) => {
      if (path === `${DEFINITIONS}/${first.name}` && nth === 4) server.establish(first.name);
    };
    await definitions.install([first]);
    expect(ports.waits.length).to.be.greaterThan(0);
  });

  it('that are not served in time, or not accepted, end the wait', async () => {
    await open('crd.projectcalico.org/v1');
    server.establishes = false;
    let now = 0;
    ports.now = () => (now += 10_000);
    const [first] = definitionsOf();
    if (first === undefined) throw new Error('no definition');
    const late = await failureOf(definitions.install([first]));
    expect(late).to.be.instanceOf(UnavailableError);
    expect(late.message).to.include(first.name).and.include('does not serve');
    const stored = server.store.get(DEFINITIONS, first.name);
    const conditions = [{ type: 'NamesAccepted', status: 'False', message: 'name is taken' }];
    server.store.put(DEFINITIONS, first.name, { ...stored, status: { conditions } });
    const refused = await failureOf(definitions.install([first]));
    expect(refused).to.be.instanceOf(UnavailableError);
    expect(refused.message).to.include('name is taken');
  });

  it('of the group that is not in use are refused before anything is sent', async () => {
    await open('projectcalico.org/v3');
    expect(datastore.describe().apiGroup).to.equal('projectcalico.org/v3');
    const failure = await failureOf(definitions.install(definitionsOf()));
    expect(failure).to.be.instanceOf(UsageError);
    expect(server.requests.filter(({ method }) => method === 'PATCH')).to.deep.equal([]);
  });

  it('are what a cluster without them is not opened without', async () => {
    await open('crd.projectcalico.org/v1');
    const failure = await failureOf(openWritable(server, ports));
    expect(failure).to.be.instanceOf(ConfigError);
  });
});
