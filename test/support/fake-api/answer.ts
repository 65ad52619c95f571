import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type JsonObject, stringifyJson } from '../../../src/support/json.ts';
import { bytesBefore, type Fault } from './faults.ts';
import { statusInProtobuf } from './protobuf-encoder.ts';

/** Bytes of one write. */
const PIECE_BYTES = 16 * 1024;

/** What to send. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the client can read. */
export interface Accepts {
  readonly protobuf: boolean;
  /** Objects without what they say. */
  readonly metadataOnly: boolean;
  readonly gzip: boolean;
}

/** What the headers of a request say that its sender can read. */
export function acceptsOf(headers: IncomingHttpHeaders): Accepts {
  return {
    protobuf: headers.accept?.startsWith('application/vnd.kubernetes.protobuf') === true,
    metadataOnly: headers.accept?.includes('as=PartialObjectMetadataList') === true,
    gzip: headers['accept-encoding']?.includes('gzip') === true,
  };
}

/** An object as JSON. */
export function jsonAnswer(object: JsonObject, status = 200): Answer {
  return { status, type: 'application/json', body: Buffer.from(stringifyJson(object), 'utf8') };
}

/** A refusal in the form that the client prefers. */
export function refusal(
  status: number,
  text: { readonly reason: string; readonly message: string },
  accepts: Pick<Accepts, 'protobuf'> = { protobuf: false },
): Answer {
  const object = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    ...text,
    code: status,
  };
  if (!accepts.protobuf) return jsonAnswer(object, status);
  return { status, type: 'application/vnd.kubernetes.protobuf', body: statusInProtobuf(object) };
}

/** Sends an answer, with a fault if one strikes. */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  { accepts, fault }: { readonly accepts: Accepts; readonly fault?: Fault | undefined },
): Promise<void> {
  const isPacked = accepts.gzip && answer.body.length > 0;
  const body = isPacked ? gzipSync(answer.body, { level: 1 }) : answer.body;
  response.writeHead(answer.status, {
    'content-type': answer.type,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    ...answer.headers,
  });
  await writeBody(response, body.subarray(0, bytesBefore(fault, body.length)), fault);
  if (fault?.type === 'reset') response.socket?.destroy();
  // A hung answer is ended when the server stops.
  else if (fault?.type !== 'hang') response.end();
}

async function writeBody(
  response: ServerResponse,
  body: Buffer,
  fault: Fault | undefined,
): Promise<void> {
  const step = fault?.type === 'slow' ? fault.pieceBytes : PIECE_BYTES;
  if (body.length === 0) response.flushHeaders();
  for (let start = 0; start < body.length && !response.destroyed; start += step) {
    const piece = body.subarray(start, start + step);
    // The callback comes for a client that went away, too: with an error that nobody needs.
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    if (fault?.type === 'slow') await delay(fault.pauseMs);
  }
}
