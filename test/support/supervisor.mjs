// Runs a server that must not outlive the tests: node supervisor.mjs FOLDER PATIENCE_MS PROGRAM ARGUMENT...
// The server ends when this process's standard input closes, which the death of the parent brings about, however it dies.
// FOLDER (the server's scratch folder) is removed at the end. Exits as the server does.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder, patience, program, ...args] = process.argv.slice(2);
// Of its own process group: an interrupt on the terminal reaches the tests, and they end the server in good order.
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });

function stop() {
  server.kill('SIGTERM');
  setTimeout(() => server.kill('SIGKILL'), Number(patience)).unref();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
process.stdin.on('end', stop).on('error', stop).resume();

function finish(status) {
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}

server.on('error', (error) => {
  console.error(String(error));
  finish(127);
});
server.on('exit', (code) => finish(code ?? 1));
