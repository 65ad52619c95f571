// node scripts/start-servers.mjs: starts the real etcd and kube-apiserver for work by hand, prints the kubeconfig's path, and
// ends them on Ctrl-C or when standard input closes.
import { startApiServer } from '../test/support/api-server-process.ts';
import { applyCrds } from '../test/support/crds.ts';
import { buildServers } from '../test/support/server-binaries.ts';

buildServers();
const server = await startApiServer();
await applyCrds(server.admin, ['crd.projectcalico.org']);
console.log(server.kubeconfig());

const stop = async () => {
  process.stdin.destroy();
  await server.stop();
};
process.once('SIGINT', stop).once('SIGTERM', stop);
process.stdin.once('end', stop).resume();
