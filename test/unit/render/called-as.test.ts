import { expect } from 'chai';
import { calledAs, documentCalledAs } from '../../../src/render/called-as.ts';
import { render } from '../../../src/render/render.ts';
import { type ErrorDocument, errorView } from '../../../src/render/views/error.ts';

const PLUGIN = 'kubectl ipamctl';

const ERROR: ErrorDocument = {
  kind: 'IPAMError',
  schemaVersion: 1,
  code: 'REFUSED',
  message: 'refused',
  hint: 'ipamctl ipam show --ip 192.0.2.7 says who holds it',
  details: {},
  status: 6,
};

describe('render/called-as', () => {
  it('names the program in commands as it was called', () => {
    for (const [text, typed] of [
      ['Run `ipamctl ipam check`.', 'Run `kubectl ipamctl ipam check`.'],
      ['ipamctl --help lists them', 'kubectl ipamctl --help lists them'],
      ['ipamctl show && ipamctl check', 'kubectl ipamctl show && kubectl ipamctl check'],
    ] as const)
      expect(calledAs(text, PLUGIN)).to.equal(typed);
  });

  it('leaves everything else: the program as such, names of files, what is named in full', () => {
    for (const text of [
      'a newer ipamctl may know the type',
      'ipamctl checks what was read',
      '/opt/ipamctl ipam',
      'ipamctl-rename-1',
      'kubectl ipamctl ipam check',
    ])
      expect(calledAs(text, PLUGIN)).to.equal(text);
    expect(calledAs('ipamctl ipam check', 'ipamctl')).to.equal('ipamctl ipam check');
  });

  it('changes the sentences of a document, and neither data nor numbers', () => {
    const document = {
      name: 'ipamctl ipam check',
      count: 9007199254740993n,
      hints: [{ message: 'see ipamctl ipam show' }],
      notes: ['see ipamctl ipam show'],
      items: [{ reason: 'see ipamctl ipam show', subject: { name: 'ipamctl show' } }],
      absent: undefined,
    };
    expect(documentCalledAs(document, PLUGIN)).to.deep.equal({
      ...document,
      hints: [{ message: 'see kubectl ipamctl ipam show' }],
      notes: ['see kubectl ipamctl ipam show'],
      items: [{ reason: 'see kubectl ipamctl ipam show', subject: { name: 'ipamctl show' } }],
    });
    expect(documentCalledAs(document, 'ipamctl')).to.equal(document);
  });

  it('is for readers: documents for machines stay as they are', async () => {
    const terminal = { width: 100, hasColor: false, program: PLUGIN };
    expect(await render(ERROR, errorView, { format: 'text', ...terminal })).to.contain(
      '  kubectl ipamctl ipam show --ip 192.0.2.7 says',
    );
    for (const format of ['json', 'yaml'] as const)
      expect(await render(ERROR, errorView, { format, ...terminal })).to.not.contain(PLUGIN);
  });
});
