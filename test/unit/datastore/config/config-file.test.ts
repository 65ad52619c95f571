import { expect } from 'chai';
import { fileValues } from '../../../../src/datastore/config-file.ts';
import { openDatastore } from '../../../../src/datastore/open-datastore.ts';
import { failureOf, temporaryFolders } from '../../../support/temp-folder.ts';

const HEAD = 'apiVersion: projectcalico.org/v3\nkind: CalicoAPIConfig\n';

describe('datastore/config-file', () => {
  const write = temporaryFolders();

  async function valuesOf(text: string): Promise<Record<string, unknown>> {
    const folder = await write({ cfg: text });
    const values = await fileValues(`${folder}/cfg`, false);
    return Object.fromEntries([...values].map(([name, { value }]) => [name, value]));
  }

  async function messageOf(text: string): Promise<string> {
    const folder = await write({ cfg: text });
    const error = await failureOf(fileValues(`${folder}/cfg`, false));
    expect(error).to.include({ code: 'CONFIGURATION', status: 8 });
    return error.message.replaceAll(`${folder}/`, '');
  }

  it('reads YAML', async () => {
    const spec =
      'metadata: {name: x}\nspec:\n  kubeconfig: /a\n  k8sClientQPS: 2.5\n  usePodCIDR: false\n';
    expect(await valuesOf(HEAD + spec)).to.deep.equal({
      kubeconfig: '/a',
      k8sClientQPS: 2.5,
      usePodCIDR: false,
    });
  });

  it('reads JSON', async () => {
    const text =
      '{"kind":"CalicoAPIConfig","apiVersion":"projectcalico.org/v3","spec":{"kubeconfig":"/a"}}';
    expect(await valuesOf(text)).to.deep.equal({ kubeconfig: '/a' });
  });

  it('reads no settings from an empty or absent spec, and none from empty values', async () => {
    expect(await valuesOf(HEAD)).to.deep.equal({});
    expect(await valuesOf(`${HEAD}spec:\n`)).to.deep.equal({});
    expect(await valuesOf(`${HEAD}spec:\n  kubeconfig: ""\n  k8sClientQPS:\n`)).to.deep.equal({});
  });

  for (const [title, text, message] of [
    [
      'an unknown setting',
      `${HEAD}spec:\n  kubeconf: /a\n`,
      'cfg:4: there is no setting spec.kubeconf',
    ],
    ['an unknown field', `${HEAD}status: {}\n`, 'cfg:3: there is no setting status'],
    ['a repeated setting', `${HEAD}spec:\n  kubeconfig: /a\n  kubeconfig: /b\n`, 'cfg:5: '],
    [
      'another apiVersion',
      'apiVersion: v1\nkind: CalicoAPIConfig\n',
      'cfg:1: apiVersion is "v1", and it must be projectcalico.org/v3',
    ],
    [
      'another kind',
      'apiVersion: projectcalico.org/v3\nkind: Config\n',
      'cfg:2: kind is "Config", and it must be CalicoAPIConfig',
    ],
    [
      'a missing kind',
      'apiVersion: projectcalico.org/v3\n',
      'cfg: kind is missing, and it must be CalicoAPIConfig',
    ],
    [
      'a value of another type',
      `${HEAD}spec:\n  k8sClientQPS: fast\n`,
      'cfg:4 (spec.k8sClientQPS): "fast" is not a number',
    ],
    [
      'text where a boolean belongs',
      `${HEAD}spec:\n  usePodCIDR: "true"\n`,
      'cfg:4 (spec.usePodCIDR): "true" is not a boolean',
    ],
    [
      'a number where text belongs',
      `${HEAD}spec:\n  kubeconfig: 5\n`,
      'cfg:4 (spec.kubeconfig): 5 is not a text',
    ],
    ['a spec that is no mapping', `${HEAD}spec: [a]\n`, 'cfg:3: spec is no mapping'],
    ['what is no mapping', '- a\n', 'configuration file cfg is no CalicoAPIConfig'],
    ['broken YAML', `${HEAD}spec: {\n`, 'cfg:4: '],
  ] as const) {
    it(`refuses ${title}`, async () => {
      expect(await messageOf(text)).to.include(message);
    });
  }

  it('shows no secret in an error', async () => {
    expect(await messageOf(`${HEAD}spec:\n  etcdPassword: 4711\n`)).to.equal(
      'cfg:4 (spec.etcdPassword): the value is not a text',
    );
  });

  it('refuses aliases without anchor', async () => {
    expect(await messageOf(`${HEAD}spec:\n  kubeconfig: *a\n`)).to.include('cfg');
  });

  it('refuses an absent file that was named, and takes an absent default one as no settings', async () => {
    const error = await failureOf(fileValues('/nonexistent/cfg', false));
    expect(error.message).to.equal('configuration file /nonexistent/cfg (--config) does not exist');
    expect([...(await fileValues('/nonexistent/cfg', true))]).to.deep.equal([]);
  });

  it('refuses a folder in place of a file', async () => {
    const folder = await write({});
    expect((await failureOf(fileValues(folder, true))).message).to.include(
      `configuration file ${folder} cannot be read`,
    );
  });
});

describe('datastore/open-datastore', () => {
  const write = temporaryFolders();

  it('opens a snapshot whatever is configured', async () => {
    const folder = await write({ 'a.yaml': 'apiVersion: v1\nkind: Node\nmetadata: {name: n}\n' });
    const datastore = await openDatastore({
      snapshot: folder,
      config: '/nonexistent/cfg',
      env: {},
    });
    expect(datastore.describe()).to.deep.equal({ datastore: 'snapshot', file: folder });
    await datastore.close();
  });

  it('refuses to wait for a terminal', async () => {
    const stdin = Object.assign((async function* () {})(), { isTTY: true });
    const error = await failureOf(openDatastore({ snapshot: '-', stdin, env: {} }));
    expect(error).to.include({ code: 'USAGE', status: 2 });
  });

  it('wants to know where etcd is, and says where it was chosen', async () => {
    const env = { DATASTORE_TYPE: 'etcdv3' };
    const error = await failureOf(openDatastore({ env, defaultConfigFile: '/nonexistent/cfg' }));
    expect(error).to.include({ code: 'CONFIGURATION', status: 8 });
    expect(error.message).to.include('environment variable DATASTORE_TYPE selects etcd');
  });
});
