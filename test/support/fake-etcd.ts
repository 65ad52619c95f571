import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { MessageWriter } from '../../src/datastore/etcd/wire.ts';

/** What a fake answers to a request. */
export type FakeAnswer =
  | { readonly message: Buffer }
  /** A refusal; codes are those of gRPC. */
  | { readonly code: number; readonly details: string }
  /** Never answers. */
  | 'hang'
  /** Ends the connection. */
  | 'reset';

/** A request as a fake sees it. */
export interface FakeRequest {
  /** Name of the method, such as `Range`. */
  readonly method: string;
  readonly message: Buffer;
  readonly token: string | undefined;
}

/** A gRPC server on loopback in the place of an etcd. */
export interface FakeEtcd {
  readonly endpoint: string;
  /** Requests so far. */
  readonly requests: readonly FakeRequest[];
  stop(): void;
}

const METHODS = ['KV/Range', 'KV/Txn', 'Auth/Authenticate'];

/** Starts a server of faults: it answers each request with what it is told to. */
export async function startFakeEtcd(
  answer: (request: FakeRequest) => FakeAnswer,
): Promise<FakeEtcd> {
  const server = new Server();
  const requests: FakeRequest[] = [];
  for (const path of METHODS) {
    const [service = '', method = ''] = path.split('/');
    server.addService(definitionOf(service, method), {
      [method]: (
        call: { request: Buffer; metadata: Metadata },
        callback: (error: object | null, message?: Buffer) => void,
      ) => {
        const [token] = call.metadata.get('token');
        const request = {
          ...{
            method,
            message: call.request,
            token: token === undefined ? undefined : token.toString(),
          },
        };
        requests.push(request);
        const given = answer(request);
        if (given === 'hang') return;
        if (given === 'reset') server.forceShutdown();
        else if ('message' in given) callback(null, given.message);
        else callback(given);
      },
    });
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return {
    endpoint: `http://127.0.0.1:${String(port)}`,
    requests,
    stop: () => {
      server.forceShutdown();
    },
  };
}

function definitionOf(service: string, method: string): ServiceDefinition {
  const same = (message: Buffer): Buffer => message;
  return {
    [method]: {
      path: `/etcdserverpb.${service}/${method}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    },
  };
}

/** Revision of the store of a fake in health. */
export const FAKE_REVISION = 42n;

/** The header of an answer. */
export function fakeHeader(): MessageWriter {
  return new MessageWriter().integer(3, FAKE_REVISION);
}

/** What an etcd in health, without keys, answers. */
export function healthy({ method }: FakeRequest): FakeAnswer {
  const message = new MessageWriter().message(1, fakeHeader());
  if (method === 'Txn') message.flag(2, true);
  if (method === 'Authenticate') message.bytes(2, 'token');
  return { message: message.finish() };
}

/** A server that is in health until it is told otherwise. */
export interface TurningEtcd extends FakeEtcd {
  /** Answers in another way from now on. */
  turn(to: (request: FakeRequest) => FakeAnswer): void;
}

/** Starts servers of faults for the tests of a suite, and stops them after each. */
export function turningEtcds(): (
  first?: (request: FakeRequest) => FakeAnswer,
) => Promise<TurningEtcd> {
  const started: FakeEtcd[] = [];
  afterEach(() => {
    for (const fake of started.splice(0)) fake.stop();
  });
  return async (first = healthy) => {
    let current = first;
    const fake = await startFakeEtcd((request) => current(request));
    started.push(fake);
    const turn = (to: typeof current): void => {
      current = to;
    };
    return { ...fake, turn };
  };
}

/** Codes of gRPC for refusals. */
export const CODE = status;
