import { expect } from 'chai';
import { rightOf, statusError } from '../../../../src/datastore/kubernetes/map-error.ts';
import {
  networkError,
  TimeoutFailure,
} from '../../../../src/datastore/kubernetes/map-network-error.ts';
import type { ClusterAccess } from '../../../../src/datastore/kubernetes/credentials.ts';
import type { ApiRequest, ApiResponse } from '../../../../src/datastore/kubernetes/transport.ts';
import { statusInProtobuf } from '../../../support/fake-api/protobuf-encoder.ts';

const ACCESS: ClusterAccess = {
  server: new URL('https://api.example.com:6443'),
  displayServer: 'https://api.example.com:6443',
  serverOrigin: 'cluster "prod" of /home/ops/.kube/config',
  identity: 'user "ops" of /home/ops/.kube/config',
  loopback: false,
  tls: { rejectUnauthorized: true },
  authorize: () => Promise.resolve({ Authorization: 'Bearer secret' }),
};

const PODS: ApiRequest = { method: 'GET', path: '/api/v1/pods?limit=500&continue=secret' };

const answer = (status: number, text: string | Buffer, type = 'application/json'): ApiResponse =>
  ({
    status,
    headers: { 'content-type': type },
    body: { bytes: () => Promise.resolve(Buffer.from(text)), discard: () => undefined },
  }) as unknown as ApiResponse;

const statusText = (message: string, reason: string): string =>
  JSON.stringify({ kind: 'Status', message, reason });

describe('datastore/kubernetes/map-error', () => {
  const STATUSES: readonly (readonly [status: number, code: string, retryable: boolean])[] = [
    [301, 'CONFIGURATION', false],
    [401, 'ACCESS_DENIED', false],
    [403, 'ACCESS_DENIED', false],
    [404, 'NOT_FOUND', false],
    [409, 'CONFLICT', false],
    [410, 'UNAVAILABLE', false],
    [422, 'DATA', false],
    [429, 'UNAVAILABLE', true],
    [500, 'UNAVAILABLE', true],
    [501, 'UNAVAILABLE', false],
    [503, 'UNAVAILABLE', true],
    [504, 'UNAVAILABLE', true],
  ];
  for (const [status, code, retryable] of STATUSES) {
    it(`makes ${code} of ${status}, and names the path but nothing secret`, async () => {
      const error = await statusError(answer(status, statusText('why', 'Because')), PODS, ACCESS);
      expect(error).to.include({ code, retryable });
      expect(JSON.stringify([error.message, error.details, error.hint]))
        .to.include('/api/v1/pods')
        .and.not.include('secret');
      expect(error.details).to.include({ status, reason: 'Because' });
    });
  }

  it('reads a refusal in protobuf', async () => {
    const body = statusInProtobuf({ message: 'too many', reason: 'TooManyRequests', code: 429 });
    const error = await statusError(
      answer(429, body, 'application/vnd.kubernetes.protobuf'),
      PODS,
      ACCESS,
    );
    expect(error.message).to.equal('GET /api/v1/pods at https://api.example.com:6443: too many');
  });

  it('repeats plain text but no page of a proxy', async () => {
    const plain = await statusError(answer(502, 'no upstream\n', 'text/plain'), PODS, ACCESS);
    expect(plain.message).to.match(/: no upstream$/);
    const page = await statusError(answer(502, '<html>', 'text/html'), PODS, ACCESS);
    expect(page.message).to.match(/: HTTP status 502$/);
  });

  it('says whose credentials are not accepted', async () => {
    const error = await statusError(answer(401, '{}'), PODS, ACCESS);
    expect(error.message).to.include(
      'does not accept the credentials of user "ops" of /home/ops/.kube/config',
    );
    expect(error.details['denied']).to.deep.equal([{ verb: 'list', resource: 'pods' }]);
  });

  const RIGHTS: readonly (readonly [ApiRequest['method'], string, object])[] = [
    ['GET', '/apis/g.io/v1/things', { verb: 'list', resource: 'things', apiGroup: 'g.io' }],
    ['GET', '/apis/g.io/v1/things/a', { verb: 'get', resource: 'things', apiGroup: 'g.io' }],
    ['GET', '/api/v1/namespaces/n/pods/p', { verb: 'get', resource: 'pods' }],
    ['GET', '/api/v1/namespaces/n', { verb: 'get', resource: 'namespaces' }],
    ['POST', '/apis/g.io/v1/things', { verb: 'create', resource: 'things', apiGroup: 'g.io' }],
    ['PUT', '/apis/g.io/v1/things/a', { verb: 'update', resource: 'things', apiGroup: 'g.io' }],
    ['DELETE', '/apis/g.io/v1/things/a', { verb: 'delete', resource: 'things', apiGroup: 'g.io' }],
    ['PUT', '/api/v1/nodes/a/status', { verb: 'update', resource: 'nodes/status' }],
    ['GET', '/apis', { verb: 'get', resource: '/apis' }],
  ];
  for (const [method, path, right] of RIGHTS) {
    it(`knows the right that ${method} ${path} needs`, () => {
      expect(rightOf({ method, path })).to.deep.equal(right);
    });
  }
});

describe('datastore/kubernetes/map-network-error', () => {
  const withCode = (code: string, message = code): Error =>
    Object.assign(new Error(message), { code });

  const CODES: readonly (readonly [error: Error, code: string, part: string])[] = [
    [withCode('ENOTFOUND'), 'UNAVAILABLE', 'is not known'],
    [withCode('EAI_AGAIN'), 'UNAVAILABLE', 'cannot be looked up'],
    [withCode('ECONNREFUSED'), 'UNAVAILABLE', 'nothing accepts connections'],
    [withCode('EHOSTUNREACH'), 'UNAVAILABLE', 'cannot be reached'],
    [withCode('ECONNRESET'), 'UNAVAILABLE', 'broke off during /api/v1/pods'],
    [
      new TimeoutFailure('connect', 10_000),
      'UNAVAILABLE',
      'no connection to https://api.example.com:6443 within 10 s',
    ],
    [new TimeoutFailure('answer', 65_000), 'UNAVAILABLE', 'no answer within 65 s'],
    [withCode('SELF_SIGNED_CERT_IN_CHAIN'), 'CONFIGURATION', 'not signed by an authority'],
    [withCode('CERT_HAS_EXPIRED'), 'UNAVAILABLE', 'has expired'],
    [
      withCode('ERR_TLS_CERT_ALTNAME_INVALID', 'not in list'),
      'CONFIGURATION',
      'for another host: not in list',
    ],
    [
      withCode('EPROTO', 'SSL routines:wrong version number'),
      'CONFIGURATION',
      'does not speak TLS',
    ],
    [
      withCode('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca'),
      'CONFIGURATION',
      'the client certificate of user "ops"',
    ],
    [withCode('ERR_SSL_NO_SHARED_CIPHER', 'x'), 'CONFIGURATION', 'fails: ERR_SSL_NO_SHARED_CIPHER'],
  ];
  for (const [failure, code, part] of CODES) {
    it(`says of ${failure.message} that ${part}`, () => {
      const error = networkError(failure, ACCESS, PODS);
      expect(error.code).to.equal(code);
      expect(error.message).to.include(part).and.not.include('secret');
    });
  }

  it('looks into the failures of several addresses', () => {
    const error = networkError(
      Object.assign(new Error(''), { errors: [withCode('ECONNREFUSED')] }),
      ACCESS,
      PODS,
    );
    expect(error.message)
      .to.include('nothing accepts connections')
      .and.include(ACCESS.serverOrigin);
  });
});
