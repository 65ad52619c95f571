import { expect } from 'chai';
import { CallFailure, nextStep, STATUS } from '../../../../src/datastore/etcd/call-failure.ts';
import { CompactedError } from '../../../../src/datastore/etcd/compacted-error.ts';
import { parseEndpoints } from '../../../../src/datastore/etcd/endpoints.ts';
import { requestError } from '../../../../src/datastore/etcd/map-error.ts';
import { sourced } from '../../../support/etcd-clients.ts';

const [ONE, TWO] = parseEndpoints(sourced('https://a:1,https://b:2', 'the endpoints'), false);

function failure(status: number, text: string, endpoint = ONE): CallFailure {
  if (!endpoint) throw new Error('no endpoint');
  return new CallFailure(text, { endpoint, status, wasNeverSent: false });
}

function unconnected(
  text: string,
  endpoint = ONE,
  status: number = STATUS.unavailable,
): CallFailure {
  if (!endpoint) throw new Error('no endpoint');
  return new CallFailure(text, { endpoint, status, wasNeverSent: true });
}

const SUBJECT = { verb: 'get', resource: '/calico/a', revision: 5n, bytes: 12 };

function errorOf(...failures: CallFailure[]): ReturnType<typeof requestError> {
  return requestError(failures, { subject: SUBJECT, connection: { env: {} } });
}

describe('datastore/etcd/call-failure', () => {
  for (const [title, given, read, write] of [
    ['no connection', unconnected('ECONNREFUSED'), 'go-on', 'go-on'],
    [
      'no connection in time',
      unconnected('late', ONE, STATUS.deadlineExceeded),
      'leave-endpoint',
      'leave-endpoint',
    ],
    ['a certificate', unconnected('self-signed certificate'), 'leave-endpoint', 'leave-endpoint'],
    ['a broken connection', failure(STATUS.unavailable, 'Connection dropped'), 'go-on', 'give-up'],
    ['a late answer', failure(STATUS.deadlineExceeded, 'late'), 'leave-endpoint', 'give-up'],
    ['no leader', failure(STATUS.unavailable, 'etcdserver: no leader'), 'go-on', 'go-on'],
    [
      'a learner',
      failure(STATUS.failedPrecondition, 'etcdserver: rpc not supported for learner'),
      'go-on',
      'go-on',
    ],
    [
      'a busy server',
      failure(STATUS.resourceExhausted, 'etcdserver: too many requests'),
      'go-on',
      'go-on',
    ],
    [
      'an old token',
      failure(STATUS.unauthenticated, 'etcdserver: invalid auth token'),
      'sign-in',
      'sign-in',
    ],
    [
      'an old revision of users',
      failure(STATUS.invalidArgument, 'etcdserver: revision of auth store is old'),
      'sign-in',
      'sign-in',
    ],
    [
      'no right',
      failure(STATUS.permissionDenied, 'etcdserver: permission denied'),
      'give-up',
      'give-up',
    ],
    [
      'a compacted revision',
      failure(STATUS.outOfRange, 'etcdserver: mvcc: required revision has been compacted'),
      'give-up',
      'give-up',
    ],
    [
      'a full database',
      failure(STATUS.resourceExhausted, 'etcdserver: mvcc: database space exceeded'),
      'give-up',
      'give-up',
    ],
    ['damaged data', failure(STATUS.dataLoss, 'etcdserver: corrupt cluster'), 'give-up', 'give-up'],
  ] as const) {
    it(`after ${title}: a read ${read}, a write ${write}`, () => {
      expect(nextStep(given, false)).to.equal(read);
      expect(nextStep(given, true)).to.equal(write);
    });
  }
});

describe('datastore/etcd/map-error', () => {
  for (const [title, given, code, text] of [
    [
      'a missing right',
      failure(STATUS.permissionDenied, 'etcdserver: permission denied'),
      'ACCESS_DENIED',
      'the client may not get /calico/a at https://a:1',
    ],
    [
      'a missing user',
      failure(STATUS.invalidArgument, 'etcdserver: user name is empty'),
      'ACCESS_DENIED',
      'a user is needed',
    ],
    [
      'a wrong password',
      failure(
        STATUS.invalidArgument,
        'etcdserver: authentication failed, invalid user ID or password',
      ),
      'ACCESS_DENIED',
      'are not accepted',
    ],
    [
      'a request without credentials',
      failure(STATUS.unauthenticated, 'no credentials'),
      'ACCESS_DENIED',
      'no credentials',
    ],
    [
      'a full database',
      failure(STATUS.resourceExhausted, 'etcdserver: mvcc: database space exceeded'),
      'UNAVAILABLE',
      'is full',
    ],
    [
      'a large request',
      failure(STATUS.invalidArgument, 'etcdserver: request is too large'),
      'DATA',
      '12 bytes are too many',
    ],
    [
      'a future revision',
      failure(STATUS.outOfRange, 'etcdserver: mvcc: required revision is a future revision'),
      'UNAVAILABLE',
      'future revision',
    ],
    [
      'a host that is not known',
      unconnected('Name resolution failed for target dns:a:1'),
      'UNAVAILABLE',
      'https://a:1: the host is not known',
    ],
    [
      'a closed port',
      unconnected('Last error: connect ECONNREFUSED'),
      'UNAVAILABLE',
      'https://a:1: nothing accepts connections',
    ],
    [
      'an authority that is not known',
      unconnected('unable to get local issuer certificate'),
      'CONFIGURATION',
      'not signed by an authority',
    ],
    [
      'an expired certificate',
      unconnected('certificate has expired'),
      'UNAVAILABLE',
      'has expired',
    ],
    [
      'a certificate of another host',
      unconnected("Hostname/IP does not match certificate's altnames: x"),
      'CONFIGURATION',
      'for another host',
    ],
    [
      'a refused client certificate',
      unconnected('ssl3_read_bytes:tlsv13 alert certificate required'),
      'CONFIGURATION',
      'does not accept the client certificate',
    ],
    [
      'no TLS',
      unconnected('ssl3_get_record:wrong version number'),
      'CONFIGURATION',
      'does not speak TLS',
    ],
    [
      'ciphers that do not meet',
      unconnected('ssl3_read_bytes:sslv3 alert handshake failure'),
      'CONFIGURATION',
      'TLS cannot be agreed on',
    ],
  ] as const) {
    it(`tells of ${title}`, () => {
      const error = errorOf(given);
      expect(error).to.include({ code });
      expect(error.message).to.include(text);
    });
  }

  it('tells of a compacted revision by a class of its own', () => {
    const error = errorOf(
      failure(STATUS.outOfRange, 'etcdserver: mvcc: required revision has been compacted'),
    );
    expect(error).to.be.instanceOf(CompactedError);
    expect(error.details).to.deep.equal({ revision: 5n });
  });

  it('names every endpoint, and calls the settings wrong only when they are for all', () => {
    const mixed = errorOf(unconnected('self-signed certificate'), unconnected('ECONNREFUSED', TWO));
    expect(mixed).to.include({ code: 'UNAVAILABLE', retryable: true });
    expect(mixed.message).to.equal(
      'no connection to etcd (endpoints from the endpoints): https://a:1: its certificate is not signed by an authority that is trusted here; https://b:2: nothing accepts connections',
    );
    const same = errorOf(
      unconnected('self-signed certificate'),
      unconnected('self-signed certificate', TWO),
    );
    expect(same).to.include({ code: 'CONFIGURATION' });
  });
});
