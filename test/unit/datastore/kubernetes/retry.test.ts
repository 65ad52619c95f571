import { expect } from 'chai';
import { sendRetrying } from '../../../../src/datastore/kubernetes/retry.ts';
import type { ApiResponse, Transport } from '../../../../src/datastore/kubernetes/transport.ts';
import { UnavailableError } from '../../../../src/errors/unavailable-error.ts';
import { failureOf, impatientPorts } from '../../../support/kubernetes-fake.ts';

type Answer = number | Error | { readonly status: number; readonly retryAfter: string };

/** A transport that answers by a script, the last entry for ever. */
const scripted = (
  ...answers: readonly Answer[]
): { transport: Transport; waits: number[]; sent: () => number } => {
  const ports = impatientPorts();
  let sent = 0;
  const send = (): Promise<ApiResponse> => {
    const answer = answers[Math.min(sent++, answers.length - 1)] ?? 200;
    if (answer instanceof Error) return Promise.reject(answer);
    const { status, retryAfter } =
      typeof answer === 'number' ? { status: answer, retryAfter: undefined } : answer;
    const body = { bytes: () => Promise.resolve(Buffer.from('{}')), discard: () => undefined };
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return Promise.resolve({ status, headers, body } as unknown as ApiResponse);
  };
  const access = { displayServer: 'https://api', identity: 'user', serverOrigin: 'test' };
  return {
    transport: { ports, access, send } as unknown as Transport,
    waits: ports.waits,
    sent: () => sent,
  };
};

const REQUEST = { method: 'GET', path: '/x' } as const;

describe('datastore/kubernetes/retry', () => {
  it('tries four times, with growing waits', async () => {
    const { transport, waits, sent } = scripted(503);
    expect(await failureOf(sendRetrying(transport, REQUEST))).to.be.instanceOf(UnavailableError);
    expect(sent()).to.equal(4);
    expect(waits).to.deep.equal([100, 200, 400]);
  });

  it('succeeds as soon as the server does', async () => {
    const { transport, sent } = scripted(
      new UnavailableError('lost', { retryable: true }),
      500,
      200,
    );
    expect((await sendRetrying(transport, REQUEST)).status).to.equal(200);
    expect(sent()).to.equal(3);
  });

  it('waits as long as it is asked to, and some time more', async () => {
    const { transport, waits } = scripted({ status: 429, retryAfter: '7' }, 200);
    await sendRetrying(transport, REQUEST);
    expect(waits).to.deep.equal([7050]);
  });

  it('does not wait for minutes', async () => {
    const { transport, sent } = scripted({ status: 503, retryAfter: '300' }, 200);
    expect(await failureOf(sendRetrying(transport, REQUEST))).to.be.instanceOf(UnavailableError);
    expect(sent()).to.equal(1);
  });

  for (const answer of [
    401,
    403,
    404,
    409,
    422,
    new UnavailableError('no such host'),
    new TypeError('bug'),
  ]) {
    it(`does not repeat after ${String(answer)}`, async () => {
      const { transport, sent } = scripted(answer, 200);
      await failureOf(sendRetrying(transport, REQUEST));
      expect(sent()).to.equal(1);
    });
  }

  it('hands over what the caller accepts', async () => {
    const { transport } = scripted(410);
    const accepts = (status: number): boolean => status === 410;
    expect((await sendRetrying(transport, REQUEST, { accepts })).status).to.equal(410);
  });
});
