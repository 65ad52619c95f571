import { expect } from 'chai';
import { parseKubeconfig } from '../../../../src/datastore/kubernetes/parse-kubeconfig.ts';
import { failureOf } from '../../../support/kubernetes-fake.ts';

const parsed = (text: string): ReturnType<typeof parseKubeconfig> =>
  parseKubeconfig({ text, place: 'the file' });

describe('datastore/kubernetes/parse-kubeconfig', () => {
  for (const [what, text, line] of [
    ['is not closed', 'users:\n- user: {token: secret\n', 3],
    ['means another value', 'users:\n- user: {token: *secret}\n', 2],
    ['has a type', 'users:\n- user: {token: !secret!x y}\n', 2],
    ['is there twice', 'users: []\nusers: [secret]\n', 2],
  ] as const) {
    it(`refuses YAML in which a value ${what}, without showing it`, async () => {
      const { message } = await failureOf(parsed(text));
      expect(message).to.include('the file is no YAML: ').and.not.include('secret');
      expect(message).to.match(new RegExp(`at line ${line}$`));
    });
  }

  for (const [what, text] of [
    ['several documents', 'kind: Config\n---\nkind: Config\n'],
    ['no mapping', '- secret\n'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { message } = await failureOf(parsed(text));
      expect(message).to.equal(`the file is no kubeconfig: it holds ${what}`);
    });
  }

  for (const text of ['', '# nothing yet\n', '---\n']) {
    it(`takes ${JSON.stringify(text)} for one without clusters`, async () => {
      expect((await parsed(text)).clusters).to.have.property('size', 0);
    });
  }

  it('keeps what looks like a number or a date as the text that it is', async () => {
    const { users } = await parsed(
      'users: [{name: 007, user: {token: 1e3, username: 2026-11-30}}]',
    );
    expect(users.get('007')?.value).to.include({ token: '1e3', username: '2026-11-30' });
  });

  it('reads JSON', async () => {
    const { clusters } = await parsed(
      '{"clusters":[{"name":"c","cluster":{"server":"https://h"}}]}',
    );
    expect(clusters.get('c')?.value).to.include({ server: 'https://h' });
  });
});
