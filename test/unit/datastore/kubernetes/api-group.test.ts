import { expect } from 'chai';
import { shownUid } from '../../../../src/ipam/model/uid.ts';
import { ConfigError } from '../../../../src/errors/config-error.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { failureOf, openOnFake } from '../../../support/kubernetes-fake.ts';

const OLDER = 'crd.projectcalico.org/v1';
const NEWER = 'projectcalico.org/v3';
const BOTH = ['crd.projectcalico.org', 'projectcalico.org'];
const UID = '30316465-6365-4463-ad63-3564622d3638';

describe('datastore/kubernetes/api-group', () => {
  let server: FakeApiServer;

  beforeEach(async () => {
    server = await startFakeApiServer();
  });

  afterEach(async () => {
    await server.stop();
  });

  const serve = (...groups: readonly string[]): void => {
    server.groups = new Set(groups);
  };

  const hold = (apiVersion: string, uid = UID): void =>
    server.put({
      apiVersion,
      kind: 'ClusterInformation',
      metadata: { name: 'default', uid },
      spec: {},
    });

  const chosen = async (setting?: string): Promise<string | undefined> => {
    const apiGroup =
      setting === undefined
        ? undefined
        : { value: setting, origin: 'environment variable CALICO_API_GROUP' };
    const datastore = await openOnFake(server, { apiGroup });
    return datastore.describe().apiGroup;
  };

  const refusal = async (setting?: string): Promise<Error> => {
    const error = await failureOf(chosen(setting));
    expect(error).to.be.instanceOf(ConfigError);
    return error;
  };

  it('takes the only group that is served, without asking further', async () => {
    expect(await chosen()).to.equal(OLDER);
    serve('projectcalico.org');
    expect(await chosen()).to.equal(NEWER);
    expect(server.seen()).to.have.length(2);
  });

  it('takes the group that holds the ClusterInformation where both are served', async () => {
    serve(...BOTH);
    hold(NEWER);
    expect(await chosen()).to.equal(NEWER);
  });

  it('takes the older group where neither holds one', async () => {
    serve(...BOTH);
    expect(await chosen()).to.equal(OLDER);
  });

  it('takes the older group, without asking further, where the newer one has no blocks', async () => {
    serve(...BOTH);
    server.missing.add('ipamblocks.projectcalico.org');
    hold(NEWER);
    expect(await chosen()).to.equal(OLDER);
    expect(server.seen()).to.have.length(1);
  });

  it('takes the older group where the newer one shows the same objects', async () => {
    server.listsResources = false;
    serve(...BOTH);
    hold(OLDER);
    hold(NEWER, shownUid(UID));
    expect(await chosen()).to.equal(OLDER);
  });

  it('takes the older group where it may not look', async () => {
    serve(...BOTH);
    hold(NEWER);
    server.forbid('clusterinformations');
    expect(await chosen()).to.equal(OLDER);
  });

  it('refuses to choose between two that differ', async () => {
    serve(...BOTH);
    hold(OLDER);
    hold(NEWER, '123e4567-e89b-42d3-a456-426614174000');
    const error = await refusal();
    expect(error.message).to.include('both').and.include(OLDER).and.include(NEWER);
    expect(error).to.have.property('hint').that.includes('CALICO_API_GROUP');
    expect(await chosen('ProjectCalico.org/V3')).to.equal(NEWER);
    expect(await chosen('v1')).to.equal(OLDER);
  });

  it('refuses a configured group that is not served, and says which is', async () => {
    const error = await refusal(NEWER);
    expect(error.message).to.include(
      '"projectcalico.org/v3" from environment variable CALICO_API_GROUP',
    );
    expect(error.message).to.include(`it serves ${OLDER}`);
  });

  it('refuses a configured group that is empty beside a full one', async () => {
    serve(...BOTH);
    hold(NEWER);
    const error = await refusal('crd.projectcalico.org/v1');
    expect(error.message).to.include(`keeps its ClusterInformation in ${NEWER}`);
  });

  it('says that there is no Calico', async () => {
    serve('apps');
    expect((await refusal()).message).to.include('has no Calico');
  });

  it('goes by the configuration where the server hides its groups', async () => {
    server.fail({ path: '/apis', fault: { type: 'status', status: 403 } });
    expect(await chosen()).to.equal(OLDER);
    expect(await chosen(NEWER)).to.equal(NEWER);
  });
});
