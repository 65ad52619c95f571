import { createServer, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { UsageError } from '../errors/usage-error.ts';
import type { CollectorMetrics } from '../operations/gc/collector-memory.ts';
import { systemReason } from '../support/file-problem.ts';
import { openOutputFile } from './files.ts';

/** Where metrics go. */
export interface MetricsPlaces {
  /** A file for a collector of text files. */
  readonly file?: string | undefined;
  /** A port, or an address and a port, of this machine only. */
  readonly listen?: string | undefined;
}

/** Metrics of a running command. */
export interface MetricsOutput {
  /** Address at which they are served; undefined when they are not. */
  readonly url: string | undefined;
  /** Replaces all metrics. @throws {@link UsageError} when the file cannot be written. */
  publish(metrics: CollectorMetrics): Promise<void>;
  close(): Promise<void>;
}

/** Others read the file, under another user. */
const FILE_MODE = 0o644;

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Opens the places of metrics; undefined when none is asked for.
 * @throws {@link UsageError} for a file that cannot be written, and for an address that is not of this machine or is in use.
 */
export async function openMetrics(places: MetricsPlaces): Promise<MetricsOutput | undefined> {
  const { file, listen } = places;
  if (file === undefined && listen === undefined) return undefined;
  if (file === '' || file === '-') throw new UsageError(`--metrics-file: "${file}" names no file`);
  // What cannot be written is told before the work begins.
  const output =
    file === undefined ? undefined : await openOutputFile(file, 'metrics-file', FILE_MODE);
  let text = '';
  const server = listen === undefined ? undefined : await serve(listen, () => text);
  return {
    url: server && urlOf(server),
    async publish(metrics) {
      text = await textOf(metrics);
      await output?.writeText(text);
    },
    close: async () => {
      if (server) await stop(server);
    },
  };
}

async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** Metrics in the text format of Prometheus. */
async function textOf(metrics: CollectorMetrics): Promise<string> {
  const { Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  for (const { name, help, type, labelNames, samples } of metrics) {
    const options = { name, help, labelNames: [...labelNames], registers: [registry] };
    // Both count from nothing here: the values are those of the collector.
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options);
    for (const { labels, value } of samples) metric.inc({ ...labels }, value);
  }
  return registry.metrics();
}

async function serve(listen: string, text: () => string): Promise<Server> {
  const { host, port } = endpointOf(listen);
  const server = createServer((request, response) => answer(request.url ?? '', response, text()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error) => {
      reject(
        new UsageError(`--metrics-listen ${listen}: ${systemReason(error)}`, { cause: error }),
      );
    });
    server.listen({ host, port }, resolve);
  });
  return server;
}

function answer(path: string, response: ServerResponse, text: string): void {
  const isMetrics = path === '/metrics' || path.startsWith('/metrics?');
  response.writeHead(isMetrics ? 200 : 404, {
    'content-type': isMetrics ? CONTENT_TYPE : 'text/plain; charset=utf-8',
  });
  response.end(isMetrics ? text : 'The metrics are at /metrics.\n');
}

/** Metrics name nodes and pools, and nobody is asked who wants to know: they stay on this machine. */
function endpointOf(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:(?<host>[^:[\]]*|\[[^\]]*\]):)?(?<port>\d{1,5})$/.exec(text);
  const { host = '', port = '' } = match?.groups ?? {};
  const name = host.replace(/^\[(.*)\]$/, '$1');
  if (!match || Number(port) > 65_535) {
    throw new UsageError(`--metrics-listen: "${text}" is no address with a port`, {
      hint: 'write it as 127.0.0.1:9100, or the port alone',
    });
  }
  if (isLoopback(name)) return { host: hostOf(name), port: Number(port) };
  throw new UsageError(`--metrics-listen: ${name} is not an address of this machine alone`, {
    hint: 'use 127.0.0.1 or [::1], with a proxy before it if others have to reach it',
  });
}

function isLoopback(name: string): boolean {
  if (name === '' || name === 'localhost' || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}

/** No name is looked up: a resolver could answer anything. */
function hostOf(name: string): string {
  return name === '' || name === 'localhost' ? '127.0.0.1' : name;
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}/metrics`;
}
