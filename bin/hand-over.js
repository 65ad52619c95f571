'use strict';
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');
const { join } = require('node:path');

/** The Node that a checkout brings along as a dependency; undefined where there is none, as in an installed package. */
function pinnedNode(root) {
  const path = join(root, 'node_modules', 'node', 'bin', 'node');
  return existsSync(path) && path !== process.execPath ? path : undefined;
}

/** Runs another Node in this one's place: same streams, signals passed on, same exit status. */
function handOver(node, args) {
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

exports.pinnedNode = pinnedNode;
exports.handOver = handOver;
