/**
 * The floors of a check: the same lists downloaded without parsing (`download`), and read in pages of 500 as JSON, with
 * small records kept (`pages`). Usage: node bench/floors/lists.ts download|pages KUBECONFIG
 */
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';

const CALICO = '/apis/crd.projectcalico.org/v1';
const LISTS = [
  `${CALICO}/ipamblocks`,
  `${CALICO}/ipamhandles`,
  `${CALICO}/blockaffinities`,
  `${CALICO}/ippools`,
  `${CALICO}/ipreservations`,
  '/api/v1/nodes',
  '/api/v1/pods',
  '/api/v1/services',
];

const [mode, kubeconfig = ''] = process.argv.slice(2);
const config = parse(readFileSync(kubeconfig, 'utf8')) as {
  clusters: [{ cluster: { server: string; 'certificate-authority': string } }];
  users: [{ user: { token: string } }];
};
const server = new URL(config.clusters[0].cluster.server);
const agent = new Agent({
  keepAlive: true,
  ca: readFileSync(config.clusters[0].cluster['certificate-authority']),
});

function get(path: string, accept: string): Promise<IncomingMessage> {
  const options: RequestOptions = {
    agent,
    hostname: server.hostname,
    port: server.port,
    path,
    headers: { accept, authorization: `Bearer ${config.users[0].user.token}` },
  };
  return new Promise((resolve, reject) => request(options, resolve).on('error', reject).end());
}

async function download(path: string): Promise<void> {
  const accept = path.startsWith('/api/')
    ? 'application/vnd.kubernetes.protobuf'
    : 'application/json';
  const response = await get(path, accept);
  for await (const _ of response);
}

interface Page {
  metadata: { continue?: string };
  items: {
    metadata: { name: string; namespace?: string };
    spec?: Record<string, unknown>;
    status?: Record<string, unknown>;
  }[];
}

async function pages(path: string): Promise<unknown[]> {
  const kept: unknown[] = [];
  for (let token = ''; ;) {
    const response = await get(
      `${path}?limit=500${token && `&continue=${encodeURIComponent(token)}`}`,
      'application/json',
    );
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const page = JSON.parse(Buffer.concat(chunks).toString()) as Page;
    for (const { metadata, spec, status } of page.items) {
      const isPod = path.endsWith('/pods');
      kept.push(
        isPod
          ? [
              metadata.name,
              metadata.namespace,
              spec?.['nodeName'],
              status?.['phase'],
              status?.['podIPs'],
            ]
          : [metadata.name, spec],
      );
    }
    if (!page.metadata.continue) return kept;
    token = page.metadata.continue;
  }
}

const results = await Promise.all(
  LISTS.map((path) => (mode === 'download' ? download(path) : pages(path))),
);
agent.destroy();
console.log(results.map((rows) => (Array.isArray(rows) ? rows.length : 0)).join(' '));
