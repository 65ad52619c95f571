/**
 * The floor of an import: the same objects created one request each, so many at a time, and nothing else.
 * Usage: node bench/floors/creates.ts KUBECONFIG OBJECTS CONCURRENCY; OBJECTS holds a path, a tab and a body a line.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';

const [kubeconfig = '', objects = '', concurrency = '16'] = process.argv.slice(2);
const config = parse(readFileSync(kubeconfig, 'utf8')) as {
  clusters: [{ cluster: { server: string; 'certificate-authority': string } }];
  users: [{ user: { token: string } }];
};
const server = new URL(config.clusters[0].cluster.server);
const agent = new Agent({
  keepAlive: true,
  maxSockets: Number(concurrency),
  ca: readFileSync(config.clusters[0].cluster['certificate-authority']),
});

const lines = readFileSync(objects, 'utf8').split('\n').filter(Boolean).values();

function post(path: string, body: string): Promise<void> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${config.users[0].user.token}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname: server.hostname, port: server.port, path, method: 'POST', headers },
      (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 201) resolve();
          else reject(new Error(`${path}: ${response.statusCode}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function work(): Promise<void> {
  for (const line of lines) {
    const tab = line.indexOf('\t');
    await post(line.slice(0, tab), line.slice(tab + 1));
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, work));
