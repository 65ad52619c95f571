/**
 * The floor of a release: conditional writes of blocks and handles as they are, 16 at a time, and nothing else but the two
 * lists. Usage: node bench/floors/conditional-writes.ts KUBECONFIG BLOCKS HANDLES
 */
import { parseJson, stringifyJson } from '../../src/support/json.ts';
import { mapLimit } from '../../src/support/map-limit.ts';
import { BareClient } from '../src/bare-client.ts';

const CALICO = '/apis/crd.projectcalico.org/v1';
const WIDTH = 16;

const [kubeconfig = '', blocks = '', handles = ''] = process.argv.slice(2);
const client = new BareClient(kubeconfig, WIDTH);

/** Written whole, with the revision that was read. */
async function writeBack(plural: string, count: number): Promise<void> {
  const path = `${CALICO}/${plural}`;
  const { items } = parseJson(await client.text({ path })) as unknown as {
    items: { metadata: { name: string } }[];
  };
  if (items.length < count) throw new Error(`there are ${items.length} ${plural} only`);
  await mapLimit(items.slice(0, count), { limit: WIDTH }, (item) =>
    client.text({
      method: 'PUT',
      path: `${path}/${item.metadata.name}`,
      body: stringifyJson({
        apiVersion: 'crd.projectcalico.org/v1',
        kind: plural === 'ipamblocks' ? 'IPAMBlock' : 'IPAMHandle',
        ...item,
      }),
    }),
  );
}

await writeBack('ipamblocks', Number(blocks));
await writeBack('ipamhandles', Number(handles));
client.close();
