/**
 * The floors of a check: the same lists downloaded without parsing (`download`), and read in pages of 500 as JSON, with
 * small records kept (`pages`). Usage: node bench/floors/lists.ts download|pages KUBECONFIG
 */
import { BareClient } from '../src/bare-client.ts';

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
const client = new BareClient(kubeconfig);

async function download(path: string): Promise<void> {
  const accept = path.startsWith('/api/')
    ? 'application/vnd.kubernetes.protobuf'
    : 'application/json';
  for await (const _ of await client.send({ path, accept }));
}

interface Page {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Item[];
}

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

async function pages(path: string): Promise<unknown[]> {
  const kept: unknown[] = [];
  for (let token = ''; ;) {
    const query = `limit=500${token && `&continue=${encodeURIComponent(token)}`}`;
    const page = JSON.parse(await client.text({ path: `${path}?${query}` })) as Page;
    for (const item of page.items)
      kept.push(path.endsWith('/pods') ? podRecord(item) : record(item));
    if (!page.metadata.continue) return kept;
    token = page.metadata.continue;
  }
}

function podRecord({ metadata: { name, namespace }, spec, status }: Item): unknown {
  return [name, namespace, spec?.['nodeName'], status?.['phase'], status?.['podIPs']];
}

function record({ metadata, spec }: Item): unknown {
  return [metadata.name, spec];
}

const results = await Promise.all(
  LISTS.map((path) => (mode === 'download' ? download(path) : pages(path))),
);
client.close();
console.log(results.map((rows) => (Array.isArray(rows) ? rows.length : 0)).join(' '));
