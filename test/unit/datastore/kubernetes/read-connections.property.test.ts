import { expect } from 'chai';
import fc from 'fast-check';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { AgentConnections } from '../../../../src/datastore/kubernetes/agent-connections.ts';
import type { Connections, Message } from '../../../../src/datastore/kubernetes/exchange.ts';
import { ReadConnections } from '../../../../src/datastore/kubernetes/read-connections.ts';

/** How a body tells where it ends. */
const framings = fc.constantFrom('chunked', 'length', 'close');
const bodies = fc.array(fc.uint8Array({ minLength: 1, maxLength: 5000 }), { maxLength: 20 });

/** An answer, whole or cut anywhere, and the sizes of the packets in which it comes. */
const answers = fc.record({
  bytes: fc
    .record({ framing: framings, chunks: bodies, isCut: fc.boolean(), cut: fc.nat() })
    .map(({ framing, chunks, isCut, cut }) => {
      const whole = encoded(
        framing,
        chunks.map((chunk) => Buffer.from(chunk)),
      );
      return isCut ? whole.subarray(0, cut % (whole.length + 1)) : whole;
    }),
  sizes: fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 1, maxLength: 8 }),
});

interface Packets {
  readonly bytes: Buffer;
  readonly sizes: readonly number[];
}

function encoded(framing: string, chunks: readonly Buffer[]): Buffer {
  // The client of Node would not ask again over a connection that was closed meanwhile.
  const head = (line: string): Buffer =>
    Buffer.from(`HTTP/1.1 200 OK\r\nConnection: close\r\n${line}\r\n`, 'latin1');
  if (framing === 'close') return Buffer.concat([head(''), ...chunks]);
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  if (framing === 'length') return Buffer.concat([head(`Content-Length: ${size}\r\n`), ...chunks]);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  const end = Buffer.from('0\r\n\r\n');
  return Buffer.concat([head('Transfer-Encoding: chunked\r\n'), ...framed, end]);
}

describe('datastore/kubernetes/read-connections', () => {
  let server: Server;
  let answer: (socket: Socket) => Promise<void>;

  before(async () => {
    server = createServer((socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('data', () => void answer(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  after(() => server.close());

  /** What comes of it: status and body, or how it broke off. */
  const outcomeOf = async (connections: Connections): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    const address = { server: url, host: '127.0.0.1', port, path: '/' };
    try {
      const { status, body } = await new Promise<Message>((onMessage, onError) => {
        const listener = { onConnected: () => undefined, onMessage, onError };
        connections.send({ ...address, method: 'GET', headers: {} }, listener);
      });
      const pieces = (await body.toArray()) as Buffer[];
      return `${status} ${Buffer.concat(pieces).toString('latin1')}`;
    } catch (error) {
      return `broken: ${String((error as NodeJS.ErrnoException).code)}`;
    }
  };

  const access = { server: new URL('http://127.0.0.1/'), tls: { rejectUnauthorized: true } };

  /** What our client and that of Node make of an answer. */
  const outcomesOf = async ({ bytes, sizes }: Packets): Promise<string[]> => {
    const clients = [new ReadConnections(), new AgentConnections(access)];
    answer = async (socket) => {
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        socket.write(bytes.subarray(at, at + size));
        at += size;
        await setImmediate();
      }
      socket.end();
    };
    const outcomes = await Promise.all(clients.map(outcomeOf));
    for (const client of clients) client.close();
    return outcomes;
  };

  it('read every answer as the client of Node does, however it is cut into packets', async () => {
    const property = fc.asyncProperty(answers, async (packets) => {
      const [ours, nodes] = await outcomesOf(packets);
      expect(ours).to.equal(nodes);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  it('refuse a damaged answer unless the client of Node takes it for the same', async () => {
    const damages = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(answers, damages, async ({ bytes, sizes }, places) => {
      const damaged = Buffer.from(bytes);
      // The head and the first sizes: a byte of a body is as good as any other.
      for (const [place, byte] of places) damaged[place % Math.min(bytes.length, 120)] = byte;
      const [ours = '', nodes] = await outcomesOf({ bytes: damaged, sizes });
      if (!ours.startsWith('broken')) expect(ours).to.equal(nodes);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
