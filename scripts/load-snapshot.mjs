// node scripts/load-snapshot.mjs PLACE: replaces what the API server of $KUBECONFIG holds by a dump or by the cluster of a
// fixture's folder, and prints { "refused": [...] }. Only for throw-away servers: it deletes all nodes, pods, Services and
// IPAM rows there.
import { fileURLToPath } from 'node:url';
import { handOver, isRecentEnough, pinnedNode } from '../bin/node-version.js';

async function main([place]) {
  if (place === undefined || !process.env.KUBECONFIG)
    throw new Error('usage: KUBECONFIG=FILE load-snapshot.mjs PLACE');
  const { clientOfKubeconfig } = await import('../test/support/api-client.ts');
  const { loadDump, readDump } = await import('../test/support/load-objects.ts');
  const { inputOf } = await import('../test/support/fixture.ts');
  const client = clientOfKubeconfig(process.env.KUBECONFIG);
  try {
    const dump = await readDump(inputOf(place) ?? place);
    console.log(JSON.stringify({ refused: await loadDump(client, dump) }, undefined, 2));
  } finally {
    client.close();
  }
}

const node = pinnedNode(new URL('..', import.meta.url));
if (isRecentEnough(process.versions.node, '>=24') || node === undefined) {
  main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
} else {
  handOver(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
}
