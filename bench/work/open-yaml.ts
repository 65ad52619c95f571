/**
 * Opens a snapshot as the program does (`ours`), or parses the same text with js-yaml (`js-yaml`), which rounds integers.
 * Usage: node bench/work/open-yaml.ts ours|js-yaml FILE
 */
import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';

const [mode, file = ''] = process.argv.slice(2);
const opened = mode === 'ours' ? await openSnapshot(file, {}) : loadAll(readFileSync(file, 'utf8'));
// So that nothing of it is collected before its end.
console.log(typeof opened);
