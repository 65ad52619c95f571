import { ProtobufReader } from './protobuf-reader.ts';
import type { ApiResponse } from './transport.ts';

/** What a server says about a request that it refused. */
export interface ServerStatus {
  readonly message?: string | undefined;
  /** Machine-readable word such as `NotFound` or `Expired`. */
  readonly reason?: string | undefined;
  /** Fields that the server blames, such as `metadata.resourceVersion`. */
  readonly causeFields?: readonly string[] | undefined;
}

/** Fields of the protobuf form of Status, and of the envelope around it. */
const STATUS = { message: 3, reason: 4 } as const;
const RAW = 2;
const MAGIC_BYTES = 4;

/** Reads the body of a refusal: a Status in either encoding, or plain text of something in between. Never fails. */
export async function readStatus(response: ApiResponse): Promise<ServerStatus> {
  try {
    const bytes = await response.body.bytes();
    const type = response.headers['content-type'] ?? '';
    if (type.includes('protobuf')) return statusOfProtobuf(bytes);
    const text = bytes.toString('utf8');
    if (type.includes('json')) return statusOfJson(text);
    // Pages of proxies are no messages.
    return type.includes('html') || text.trim() === '' ? {} : { message: text };
  } catch {
    return {};
  }
}

function statusOfJson(text: string): ServerStatus {
  const status = JSON.parse(text) as {
    message?: unknown;
    reason?: unknown;
    details?: { causes?: unknown };
  } | null;
  return {
    message: textOf(status?.message),
    reason: textOf(status?.reason),
    causeFields: fieldsOf(status?.details?.causes),
  };
}

function fieldsOf(causes: unknown): readonly string[] | undefined {
  if (!Array.isArray(causes)) return undefined;
  return causes.map((cause: { field?: unknown } | null) => textOf(cause?.field) ?? '');
}

function statusOfProtobuf(bytes: Buffer): ServerStatus {
  const envelope = new ProtobufReader(bytes, MAGIC_BYTES);
  let message: string | undefined;
  let reason: string | undefined;
  while (envelope.next()) {
    if (envelope.field !== RAW) {
      envelope.skip();
      continue;
    }
    const status = envelope.message();
    while (status.next()) {
      if (status.field === STATUS.message) message = textOf(status.text());
      else if (status.field === STATUS.reason) reason = textOf(status.text());
      else status.skip();
    }
  }
  return { message, reason };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
