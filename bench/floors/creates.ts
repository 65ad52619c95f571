/**
 * The floor of an import: the same objects created one request each, so many at a time, and nothing else.
 * Usage: node bench/floors/creates.ts KUBECONFIG OBJECTS CONCURRENCY; OBJECTS holds a path, a tab and a body a line.
 */
import { readFileSync } from 'node:fs';
import { mapLimit } from '../../src/support/map-limit.ts';
import { BareClient } from '../src/bare-client.ts';

const [kubeconfig = '', objects = '', concurrency = '16'] = process.argv.slice(2);
const limit = Number(concurrency);
const client = new BareClient(kubeconfig, limit);
const lines = readFileSync(objects, 'utf8').split('\n').filter(Boolean);
await mapLimit(lines, { limit }, async (line) => {
  const tab = line.indexOf('\t');
  await client.text({ method: 'POST', path: line.slice(0, tab), body: line.slice(tab + 1) });
});
client.close();
