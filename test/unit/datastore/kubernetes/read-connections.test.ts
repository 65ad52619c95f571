import { expect } from 'chai';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer as createSecureServer, type TLSSocket } from 'node:tls';
import type {
  Exchange,
  Message,
  WireRequest,
} from '../../../../src/datastore/kubernetes/exchange.ts';
import { ReadConnections } from '../../../../src/datastore/kubernetes/read-connections.ts';
import { LOOPBACK_CERTIFICATE } from '../../../support/certificates.ts';
import { failureOf } from '../../../support/kubernetes-fake.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const SMALL = `${HEAD}Content-Length: 2\r\n\r\n{}`;
const MIB = 1024 * 1024;

describe('datastore/kubernetes/read-connections', () => {
  let connections: ReadConnections;
  const sockets = new Set<Socket>();
  let connected = 0;
  let server: Server;
  let heard = '';
  let answer: (socket: Socket) => unknown;

  before(async () => {
    server = createServer((socket) => {
      connected++;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      socket.setEncoding('latin1').on('data', (text: string) => {
        heard += text;
        if (heard.endsWith('\r\n\r\n')) answer(socket);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => {
    connections = new ReadConnections();
    heard = '';
    connected = 0;
  });

  afterEach(() => {
    connections.close();
    for (const socket of sockets) socket.destroy();
  });

  after(() => server.close());

  const wire = (more: Partial<WireRequest> = {}): WireRequest => {
    const { port } = server.address() as AddressInfo;
    return {
      method: 'GET',
      server: new URL(`http://127.0.0.1:${port}/`),
      host: '127.0.0.1',
      port,
      path: '/api/v1/pods',
      headers: { Accept: 'application/json' },
      ...more,
    };
  };

  const begin = (request = wire()): { exchange: Exchange; message: Promise<Message> } => {
    const { promise, resolve, reject } = Promise.withResolvers<Message>();
    const listener = { onConnected: () => undefined, onMessage: resolve, onError: reject };
    return { exchange: connections.send(request, listener), message: promise };
  };

  const textOf = async ({ body }: Message): Promise<string> =>
    Buffer.concat((await body.toArray()) as Buffer[]).toString('latin1');

  const ask = (request?: WireRequest): Promise<string> => begin(request).message.then(textOf);

  it('asks as every server understands it', async () => {
    answer = (socket) => socket.write(SMALL);
    expect(await ask()).to.equal('{}');
    const { port } = server.address() as AddressInfo;
    expect(heard.split('\r\n')).to.deep.equal([
      'GET /api/v1/pods HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Accept: application/json',
      '',
      '',
    ]);
  });

  it('waits for the answer behind one that says to wait', async () => {
    answer = (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${SMALL}`);
    const message = await begin().message;
    expect(message).to.deep.include({ status: 200 });
    expect(message.headers).to.not.have.property('link');
    expect(await textOf(message)).to.equal('{}');
  });

  it('tells the headers by names in lower case, those of one name together', async () => {
    answer = (socket) =>
      socket.end('HTTP/1.1 429 Slow Down\r\nRETRY-After: 3\r\nWarning: a\r\nwarning: b\r\n\r\n');
    const { status, headers } = await begin().message;
    expect(status).to.equal(429);
    expect(headers).to.deep.equal({ 'retry-after': '3', warning: 'a, b' });
  });

  it('lets no header or path begin another line', () => {
    for (const bad of [{ headers: { Authorization: 'Bearer a\r\nX: b' } }, { path: '/a b' }])
      expect(() => begin(wire(bad))).to.throw(TypeError);
    expect(connected).to.equal(0);
  });

  describe('what breaks off', () => {
    for (const [what, text] of [
      ['nothing', ''],
      ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ] as const) {
      it(`is a connection that ends after ${what}`, async () => {
        answer = (socket) => socket.end(text);
        expect(await failureOf(ask())).to.include({ code: 'ECONNRESET' });
        expect(connected).to.equal(1);
      });
    }

    for (const [what, head, body] of [
      ['its length', 'Content-Length: 10\r\n\r\n', '12345'],
      ['its last chunk', 'Transfer-Encoding: chunked\r\n\r\n', '5\r\n12345\r\n'],
      ['the end of a chunk', 'Transfer-Encoding: chunked\r\n\r\n', '5\r\n123'],
    ] as const) {
      it(`is a body that ends before ${what}`, async () => {
        answer = (socket) => socket.end(HEAD + head + body);
        expect(await failureOf(ask())).to.include({ code: 'ECONNRESET' });
      });
    }

    it('is what is no HTTP', async () => {
      answer = (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n');
      expect(await failureOf(ask())).to.include({ code: 'HPE_INVALID_CONSTANT' });
    });

    it('is a chunk that does not end where it says', async () => {
      answer = (socket) =>
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`);
      expect(await failureOf(ask())).to.include({ code: 'HPE_STRICT' });
    });
  });

  describe('a connection', () => {
    it('is used again', async () => {
      answer = (socket) => socket.write(SMALL);
      for (let turn = 0; turn < 3; turn++) expect(await ask()).to.equal('{}');
      expect(connected).to.equal(1);
    });

    it('is one of several while another answer comes', async () => {
      answer = (socket) => socket.write(SMALL);
      expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['{}', '{}', '{}']);
      expect(connected).to.equal(3);
    });

    it('is left when the server says that it closes it', async () => {
      answer = (socket) => socket.write(`${HEAD}Connection: close\r\nContent-Length: 1\r\n\r\n1`);
      for (let turn = 0; turn < 2; turn++) expect(await ask()).to.equal('1');
      expect(connected).to.equal(2);
    });

    it('is left when the server closed it between two questions, with all that were kept', async () => {
      answer = (socket) => socket.write(SMALL);
      await Promise.all([ask(), ask()]);
      for (const socket of sockets) socket.destroy();
      expect(await ask()).to.equal('{}');
      await delay(20);
      expect(await ask()).to.equal('{}');
      expect(connected).to.equal(3);
    });

    it('is not tried a second time once the question was heard', async () => {
      answer = (socket) => socket.write(SMALL);
      await ask();
      answer = (socket) => socket.end('HTTP/1.1 200');
      expect(await failureOf(ask())).to.include({ code: 'ECONNRESET' });
      expect(connected).to.equal(1);
    });

    it('is left when something comes that nobody asked for', async () => {
      answer = (socket) => socket.write(SMALL);
      await ask();
      for (const socket of sockets) socket.write('HTTP/1.1 408 Request Timeout\r\n\r\n');
      await delay(20);
      expect(await ask()).to.equal('{}');
      expect(connected).to.equal(2);
    });

    it('is closed with a body that is given up, and with a question', async () => {
      answer = (socket) => socket.write(`${HEAD}Content-Length: 10\r\n\r\n12345`);
      (await begin().message).body.destroy();
      answer = () => undefined;
      const { exchange, message } = begin();
      const reason = new Error('enough');
      exchange.destroy(reason);
      expect(await failureOf(message)).to.equal(reason);
      await delay(20);
      expect(sockets.size).to.equal(0);
    });
  });

  it('begins each connection over TLS with what the first one settled', async () => {
    const secured: TLSSocket[] = [];
    const secure = createSecureServer(LOOPBACK_CERTIFICATE, (socket) => {
      secured.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(SMALL));
    });
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const tls = { ca: LOOPBACK_CERTIFICATE.cert, rejectUnauthorized: true };
    const request = wire({ server: new URL(`https://127.0.0.1:${port}/`), port, tls });
    expect(await ask(request)).to.equal('{}');
    await Promise.all([ask(request), ask(request)]);
    expect(secured.map((socket) => socket.isSessionReused())).to.deep.equal([false, true]);
    connections.close();
    secure.close();
  });

  it('lets the server wait while nobody reads', async () => {
    let sent = 0;
    answer = (socket) => {
      socket.write(`${HEAD}\r\n`);
      const more = (): void => {
        for (let isRoom = true; isRoom && sent < 64; sent++)
          isRoom = socket.write(Buffer.alloc(MIB));
        if (sent < 64) socket.once('drain', more);
        else socket.end();
      };
      more();
    };
    const message = await begin().message;
    await delay(200);
    expect(sent).to.be.below(32);
    let bytes = 0;
    for await (const piece of message.body) bytes += (piece as Buffer).length;
    expect(bytes).to.equal(64 * MIB);
  });

  it('hands on the little that a slow server has sent', async () => {
    answer = async (socket) => {
      for (const text of [`${HEAD}\r\n`, 'one', 'two']) {
        socket.write(text);
        await delay(10);
      }
    };
    const { body } = await begin().message;
    let text = '';
    for await (const piece of body) if ((text += String(piece)) === 'onetwo') break;
    expect(text).to.equal('onetwo');
  });

  it('asks on after an answer whose reader was slow', async () => {
    const body = Buffer.alloc(MIB, 'x');
    answer = (socket) => {
      socket.write(`${HEAD}Content-Length: ${MIB}\r\n\r\n`);
      socket.write(body);
    };
    for (let turn = 0; turn < 3; turn++) {
      const message = await begin().message;
      await delay(20);
      expect(await textOf(message)).to.have.lengthOf(MIB);
    }
    expect(connected).to.equal(1);
  });

  it('closes all of them, before and within an answer', async () => {
    answer = (socket) => socket.write(`${HEAD}Content-Length: 10\r\n\r\n12345`);
    const reading = textOf(await begin().message);
    answer = () => undefined;
    const waiting = ask();
    await delay(20);
    connections.close();
    for (const lost of [reading, waiting])
      expect(await failureOf(lost)).to.include({ code: 'ECONNRESET' });
    await delay(20);
    expect(sockets.size).to.equal(0);
  });
});
