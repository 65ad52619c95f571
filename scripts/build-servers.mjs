// npm run build:servers: builds the real etcd, kube-apiserver and kubectl for the tests into the user's cache folder.
// With --optional it is content where they cannot be built, except in CI, where their absence is a failure.
import { buildObstacle, buildServers, serversAreBuilt } from '../test/support/server-binaries.ts';

const isOptional = process.argv.includes('--optional') && process.env.CI !== 'true';

function main() {
  const there = serversAreBuilt();
  const obstacle = there ? undefined : buildObstacle();
  if (obstacle !== undefined && isOptional) {
    console.log(`${obstacle}; tests that need them are skipped.`);
    return;
  }
  if (!there)
    console.log(
      'Building etcd, kube-apiserver and kubectl; this takes some minutes the first time.',
    );
  const { folder } = buildServers();
  if (!there || !isOptional)
    console.log(`${there ? 'Servers are in' : 'Servers built into'} ${folder}`);
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
