// Holds the coverage of the last `c8` run to its gates, which are higher for the core than for the rim.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const METRICS = ['lines', 'branches'];
/** Least percentage of lines and branches by folder; empty stands for everything. */
const GATES = { 'src/net/': 95, 'src/ipam/': 95, 'src/check/': 95, '': 90 };

const summaries = JSON.parse(readFileSync(`${root}/coverage/coverage-summary.json`, 'utf8'));
const entries = Object.entries(summaries)
  .filter(([path]) => path !== 'total')
  .filter(([path, summary]) => summary.lines.covered > 0 || holdsCode(path))
  .map(([path, summary]) => [relative(root, path), summary]);

/** Whether anything is left to run once types and comments are gone; a file of types is never loaded. */
function holdsCode(path) {
  const code = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  return /\S/.test(code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|^import .*/gm, ''));
}

function percentage(folder, metric) {
  const parts = entries
    .filter(([path]) => path.startsWith(folder))
    .map(([, summary]) => summary[metric]);
  const sum = (field) => parts.reduce((count, part) => count + part[field], 0);
  return sum('total') === 0 ? 100 : (100 * sum('covered')) / sum('total');
}

for (const [folder, least] of Object.entries(GATES)) {
  for (const metric of METRICS) {
    const found = percentage(folder, metric);
    const isLow = found < least;
    if (isLow) process.exitCode = 1;
    console.log(
      `${folder || 'all'} ${metric}: ${found.toFixed(1)}% (at least ${least}%)${isLow ? ' TOO LOW' : ''}`,
    );
  }
}
