import { expect } from 'chai';
import { AccessDeniedError } from '../../../src/errors/access-denied-error.ts';
import { UnavailableError } from '../../../src/errors/unavailable-error.ts';
import { Denials, namingAllDenied } from '../../../src/operations/denials.ts';
import { failureOf } from '../../support/temp-folder.ts';

function denial(verb: string, resource: string, apiGroup?: string): AccessDeniedError {
  const right = { verb, resource, ...(apiGroup === undefined ? {} : { apiGroup }) };
  return new AccessDeniedError(`not allowed to ${verb} ${resource}`, {
    hint: 'ask',
    details: { denied: [right] },
  });
}

describe('operations/denials', () => {
  it('names everything that was refused, each once, with its group', async () => {
    const denials = new Denials();
    const refused = [
      denial('list', 'pods'),
      denial('get', 'ippools', 'projectcalico.org'),
      denial('list', 'pods'),
    ];
    for (const error of refused) await denials.take(Promise.reject(error));
    await denials.take(Promise.resolve('read'));
    expect(() => {
      denials.assertNone();
    })
      .to.throw(AccessDeniedError, 'access denied: get ippools.projectcalico.org, list pods')
      .with.nested.property('details.denied')
      .that.has.length(2);
  });

  it('lets a single refusal through as it is, and any other error at once', async () => {
    const denials = new Denials();
    const [only, other] = [denial('list', 'pods'), new UnavailableError('gone')];
    await denials.take(Promise.reject(only));
    expect(await failureOf(Promise.resolve().then(() => denials.assertNone()))).to.equal(only);
    expect(await failureOf(denials.take(Promise.reject(other)))).to.equal(other);
  });

  it('tries what would follow only when the first reading is refused', async () => {
    const following: string[] = [];
    const next = (): Promise<void> => {
      following.push('tried');
      return Promise.reject(denial('list', 'ippools'));
    };
    expect(await namingAllDenied(() => Promise.resolve('read'), next)).to.equal('read');
    expect(following).to.deep.equal([]);
    const error = await failureOf(
      namingAllDenied(() => Promise.reject(denial('get', 'clusterinformations')), next),
    );
    expect(error.message).to.equal('access denied: get clusterinformations, list ippools');
    expect(following).to.deep.equal(['tried']);
  });
});
