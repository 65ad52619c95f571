import { expect } from 'chai';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { createServer } from 'node:http';
import { openAccess } from '../../../../src/datastore/kubernetes/credentials.ts';
import { sendRetrying } from '../../../../src/datastore/kubernetes/retry.ts';
import {
  Transport,
  type TransportOptions,
} from '../../../../src/datastore/kubernetes/transport.ts';
import { ToolError } from '../../../../src/errors/tool-error.ts';
import { ELSEWHERE_CERTIFICATE, LOOPBACK_CERTIFICATE } from '../../../support/certificates.ts';
import { type FakeApiServer, startFakeApiServer } from '../../../support/fake-api-server.ts';
import { failureOf, impatientPorts } from '../../../support/kubernetes-fake.ts';

const POOLS = '/apis/crd.projectcalico.org/v1/ippools';
const GET_POOLS = { method: 'GET', path: POOLS } as const;

interface Cluster {
  readonly server: string;
  readonly ca?: string;
  readonly tlsServerName?: string;
  readonly proxyUrl?: string;
}

const transportTo = async (
  cluster: Cluster,
  options: Partial<TransportOptions> = {},
): Promise<Transport> => {
  const { server, ca, tlsServerName, proxyUrl } = cluster;
  const text = JSON.stringify({
    clusters: [
      {
        name: 'c',
        cluster: {
          server,
          ...(ca === undefined
            ? {}
            : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
          ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
          ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
        },
      },
    ],
    users: [{ name: 'u', user: { token: 'token-of-admin' } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'c',
  });
  const access = await openAccess({
    env: {},
    kubeconfigInline: { value: text, origin: 'the test' },
  });
  return new Transport(access, { userAgent: 'tests', ports: impatientPorts(), ...options });
};

const refusalOf = async (promise: Promise<unknown>): Promise<ToolError> => {
  const error = await failureOf(promise);
  if (error instanceof ToolError) return error;
  throw error;
};

const statusVia = async (transport: Transport): Promise<number> => {
  const response = await transport.send(GET_POOLS);
  await response.body.bytes();
  return response.status;
};

describe('datastore/kubernetes/transport', () => {
  let server: FakeApiServer;
  let transport: Transport | undefined;

  afterEach(async () => {
    transport?.close();
    transport = undefined;
    await server.stop();
  });

  const connectTo = async (
    cluster: Partial<Cluster> = {},
    options?: Partial<TransportOptions>,
  ): Promise<Transport> =>
    (transport = await transportTo({ server: server.url, ...cluster }, options));

  describe('over TLS', () => {
    it('trusts the authority of the kubeconfig', async () => {
      server = await startFakeApiServer({ tls: LOOPBACK_CERTIFICATE });
      expect(await statusVia(await connectTo({ ca: LOOPBACK_CERTIFICATE.cert }))).to.equal(200);
    });

    it('trusts nobody else', async () => {
      server = await startFakeApiServer({ tls: LOOPBACK_CERTIFICATE });
      const error = await refusalOf(statusVia(await connectTo()));
      expect(error).to.include({ code: 'CONFIGURATION' });
      expect(error.message)
        .to.include('not signed by an authority')
        .and.include('cluster "c" of the test');
    });

    it('wants the certificate to be for the host, or for the name that the kubeconfig gives', async () => {
      server = await startFakeApiServer({ tls: ELSEWHERE_CERTIFICATE });
      const ca = ELSEWHERE_CERTIFICATE.cert;
      const error = await refusalOf(statusVia(await connectTo({ ca })));
      expect(error.message).to.include('for another host');
      expect(error.hint).to.include('tls-server-name');
      transport?.close();
      expect(await statusVia(await connectTo({ ca, tlsServerName: 'elsewhere.invalid' }))).to.equal(
        200,
      );
    });

    it('says when the server speaks plain HTTP', async () => {
      server = await startFakeApiServer();
      const url = server.url.replace('http:', 'https:');
      expect((await failureOf(statusVia(await connectTo({ server: url })))).message).to.include(
        'does not speak TLS',
      );
    });
  });

  describe('over HTTP', () => {
    beforeEach(async () => {
      server = await startFakeApiServer();
    });

    it('keeps a path of the server URL', async () => {
      await connectTo({ server: `${server.url}/k8s/clusters/c-1/` });
      expect(await statusVia(transport as Transport)).to.equal(404);
      expect(server.requests[0]?.path).to.equal(`/k8s/clusters/c-1${POOLS}`);
    });

    it('packs answers unless the server is on this machine', async () => {
      const near = await connectTo();
      await statusVia(near);
      const far = new Transport({ ...near.access, loopback: false }, { userAgent: 'tests' });
      const response = await far.send(GET_POOLS);
      expect(response.headers['content-encoding']).to.equal('gzip');
      expect((await response.body.bytes()).toString()).to.include('IPPoolList');
      far.close();
      expect(server.requests.map((request) => request.headers['accept-encoding'])).to.deep.equal([
        undefined,
        'gzip',
      ]);
    });

    it('takes a packed body that ends early for broken', async () => {
      server.fail({ path: POOLS, fault: { type: 'truncate', afterBytes: 20 } });
      const near = await connectTo();
      const far = new Transport({ ...near.access, loopback: false }, { userAgent: 'tests' });
      const { body } = await far.send(GET_POOLS);
      expect(await failureOf(body.bytes())).to.include({ code: 'UNAVAILABLE', retryable: true });
      far.close();
    });

    it('uses a connection again', async () => {
      const sockets = new Set<number | undefined>();
      await connectTo();
      const counter = createServer((request, response) => {
        sockets.add(request.socket.remotePort);
        response.end('{}');
      });
      await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve));
      const other = await transportTo({
        server: `http://127.0.0.1:${(counter.address() as AddressInfo).port}`,
      });
      for (let turn = 0; turn < 3; turn++) await statusVia(other);
      expect(sockets.size).to.equal(1);
      other.close();
      counter.close();
    });

    it('goes through the proxy of the kubeconfig', async () => {
      const tunnels: (string | undefined)[] = [];
      const proxy = createServer();
      proxy.on('connect', (request, socket) => {
        tunnels.push(request.url);
        const { port } = new URL(server.url);
        const upstream = connect(Number(port), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          upstream.pipe(socket).pipe(upstream);
        });
        for (const end of [upstream, socket]) end.on('error', () => end.destroy());
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      await server.stop();
      server = await startFakeApiServer({ tls: LOOPBACK_CERTIFICATE });
      const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      expect(
        await statusVia(await connectTo({ ca: LOOPBACK_CERTIFICATE.cert, proxyUrl })),
      ).to.equal(200);
      expect(tunnels).to.deep.equal([new URL(server.url).host]);
      transport?.close();
      proxy.closeAllConnections();
      proxy.close();
    });

    it('gives up an address that takes no connection', async () => {
      const port = await freedPort();
      const error = await failureOf(
        sendRetrying(await connectTo({ server: `http://127.0.0.1:${port}` }), GET_POOLS),
      );
      expect(error).to.include({ code: 'UNAVAILABLE' });
      expect(error.message).to.include('nothing accepts connections');
    });

    it('ends with the reason of the signal', async () => {
      server.fail({ path: POOLS, fault: { type: 'hang' } });
      await connectTo();
      const reason = new Error('enough');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 30);
      const request = { ...GET_POOLS, signal: controller.signal };
      expect(await failureOf((transport as Transport).send(request))).to.equal(reason);
    });
  });
});

async function freedPort(): Promise<number> {
  const holder = createTcpServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  await new Promise((resolve) => holder.close(resolve));
  return port;
}
