import { expect } from 'chai';
import type { DocumentSource } from '../../../../src/operations/outcome.ts';
import { render } from '../../../../src/render/render.ts';
import { connectedBy, sourceFlags } from '../../../../src/render/views/source.ts';

const CLUSTER: DocumentSource = { datastore: 'kubernetes', context: 'prod' };
const FILE: DocumentSource = { datastore: 'snapshot', file: 'my dump.yaml' };

const flagsOf = (source: DocumentSource, connection?: Record<string, string>): string =>
  sourceFlags(connectedBy({ source }, connection).source);

describe('render/views/source', () => {
  it('leads to the source that was read', () => {
    expect(flagsOf(CLUSTER)).to.equal(' --context prod');
    expect(flagsOf(FILE)).to.equal(" --snapshot 'my dump.yaml'");
    expect(flagsOf({ ...FILE, file: '-' })).to.equal('');
  });

  it('leads there by the files that the user has named', () => {
    expect(flagsOf(CLUSTER, { kubeconfig: '~/my kc' })).to.equal(
      " --kubeconfig '~/my kc' --context prod",
    );
    expect(flagsOf({ datastore: 'etcd' }, { config: 'etcd.cfg' })).to.equal(' --config etcd.cfg');
    expect(flagsOf(FILE, {})).to.equal(" --snapshot 'my dump.yaml'");
  });

  it('tells readers of them, and machines nothing', async () => {
    const view = {
      text: ({ source }: { source: DocumentSource }) => sourceFlags(source),
      html: ({ source }: { source: DocumentSource }) => sourceFlags(source),
    };
    const document = { source: CLUSTER };
    const options = { width: 80, hasColor: false, connection: { kubeconfig: 'kc' } };
    for (const format of ['text', 'html'] as const)
      expect(await render(document, view, { format, ...options })).to.equal(
        ' --kubeconfig kc --context prod\n',
      );
    const json = await render(document, view, { format: 'json', ...options });
    expect(JSON.parse(json)).to.deep.equal(document);
  });
});
