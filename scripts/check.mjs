// npm run check: everything that has to hold before a change is finished. Runs all parts, whatever fails, and ends with
// `N passed, N failed, N skipped`, which counts the tests and, beside them, each other part as one.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const MADE_BY_BUILD = ['oclif.manifest.json', 'THIRD_PARTY_NOTICES.md'];
const COUNTS = /^(\d+) passed, (\d+) failed, (\d+) skipped$/gm;

/** Runs a shell command, shows its output, and resolves to its status and what it printed on stdout. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (part) => {
      process.stdout.write(part);
      text += part;
    });
    child.on('error', (error) => resolve({ status: 1, text: String(error) }));
    child.on('close', (status) => resolve({ status: status ?? 1, text }));
  });
}

/** The build must leave committed files as they are, or a command would be found by nobody and a licence not be told. */
async function build() {
  const before = MADE_BY_BUILD.map(read);
  const { status } = await run('npm run --silent build');
  if (status !== 0) return status;
  const changed = MADE_BY_BUILD.filter((name, position) => read(name) !== before[position]);
  if (changed.length === 0) return 0;
  console.error(`not what the build makes, but it is now, so commit it: ${changed.join(', ')}`);
  return 1;
}

function read(name) {
  try {
    return readFileSync(`${root}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

const script = (name) => async () => (await run(`npm run --silent ${name}`)).status;

const PARTS = {
  format: script('format:check'),
  lint: script('lint'),
  types: script('types'),
  'import rules': script('deps'),
  'unused code': script('knip'),
  build,
  package: script('publint'),
  'generated pages': script('docs -- --check'),
};

const counts = { passed: 0, failed: 0, skipped: 0 };
const failedParts = [];

function note(name, status) {
  counts[status === 0 ? 'passed' : 'failed'] += 1;
  if (status !== 0) failedParts.push(name);
}

async function tests() {
  const { status, text } = await run('npm test');
  const last = [...text.matchAll(COUNTS)].at(-1);
  if (last === undefined) return note('tests', status || 1);
  ['passed', 'failed', 'skipped'].forEach(
    (name, position) => (counts[name] += Number(last[position + 1])),
  );
  if (status !== 0) failedParts.push('tests');
  // Something beside the tests went wrong, such as a server that did not end.
  if (status !== 0 && last[2] === '0') counts.failed += 1;
  note('coverage', (await run('npm run --silent coverage')).status);
}

for (const [name, part] of Object.entries(PARTS)) {
  console.log(`\n== ${name}`);
  note(name, await part());
}
console.log('\n== tests');
await tests();
if (failedParts.length > 0) console.log(`\nFailed: ${failedParts.join(', ')}`);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = failedParts.length > 0 ? 1 : 0;
