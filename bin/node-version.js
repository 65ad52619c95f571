import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Whether a version such as `24.1.0` satisfies a range of the form `>=22.19`. */
export function isRecentEnough(version, range) {
  const have = version.split('.').map(Number);
  const need = range.replace(/^\D*/, '').split('.').map(Number);
  for (let i = 0; i < need.length; i++) {
    if ((have[i] ?? 0) !== need[i]) return (have[i] ?? 0) > need[i];
  }
  return true;
}

/** The Node that a checkout brings along as a dependency; undefined where there is none, as in an installed package. */
export function pinnedNode(root) {
  const path = fileURLToPath(new URL('node_modules/node/bin/node', root));
  return existsSync(path) && path !== process.execPath ? path : undefined;
}

/** Runs another Node in this one's place: same streams, signals passed on, same exit status. */
export function handOver(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends its interrupt to the child as well, and a second one would cut the first one's clean-up short.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    process.stderr.write(`ipamctl: ${node} cannot be started: ${error.message}\n`);
    process.exitCode = 70;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
    for (const name of signals) process.removeAllListeners(name);
  });
}
