// npm run docs: writes docs/checks.md, docs/exit-codes.md, docs/commands/ and docs/schema/ from the tables, types and the command manifest, which
// npm run build makes. With --check it writes nothing and fails when a page is not what the code says.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { RULES } from '../src/check/registry.ts';
import { EXIT_STATUSES } from '../src/errors/exit-status.ts';
import { COMMAND_PAGES } from './generate-command-pages.mjs';
import { SCHEMAS } from './generate-schemas.mjs';
import { table } from './markdown.mjs';

const NOTICE = '<!-- Made by npm run docs; edit the code, not this page. -->';

function checksPage() {
  return [
    NOTICE,
    '# Checks',
    '',
    '`ipamctl ipam check` judges the rules below. A code never changes its meaning. Errors are problems: an address may be in',
    'use twice, or an outage is possible. Warnings are waste or drift, infos are notes. `ipamctl ipam check --explain CODE`',
    'says the same about one rule.',
    '',
    ...table(
      ['Code', 'Severity', 'Says'],
      RULES.map(({ code, severity, title }) => [`[\`${code}\`](#${code})`, severity, title]),
    ),
    '',
    ...RULES.flatMap(ruleSection),
  ].join('\n');
}

function ruleSection({ code, severity, needs, why, remedy }) {
  const kinds = needs.length === 0 ? 'nothing in particular' : needs.join(', ');
  return [
    `## ${code}`,
    '',
    `*${severity}; needs ${kinds}.*`,
    '',
    why,
    '',
    `**What to do.** ${remedy}`,
    '',
  ];
}

function exitCodesPage() {
  return [
    NOTICE,
    '# Exit statuses',
    '',
    'One table for all commands. Statuses keep their meaning from release to release; treat one that you do not know as a',
    'failure. Neither the output format nor `--quiet` changes the status.',
    '',
    ...table(
      ['Status', 'Meaning'],
      Object.values(EXIT_STATUSES).map(({ status, meaning }) => [status, meaning]),
    ),
    '',
  ].join('\n');
}

const PAGES = {
  'docs/checks.md': checksPage,
  'docs/exit-codes.md': exitCodesPage,
  ...COMMAND_PAGES,
  ...SCHEMAS,
};
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const isCheck = process.argv.includes('--check');

const complain = (text) => {
  console.error(`${text}; run npm run docs`);
  process.exitCode = 1;
};

for (const [name, page] of Object.entries(PAGES)) {
  const path = pathOf(name);
  const text = await format(page(), {
    parser: name.endsWith('.json') ? 'json' : 'markdown',
    printWidth: 100,
  });
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === text;
  if (isSame) continue;
  if (isCheck) {
    complain(`${name} is not what the code says`);
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${name}`);
  }
}

// A page whose command is gone would be believed for years.
for (const folder of ['docs/commands', 'docs/schema']) {
  for (const file of readdirSync(pathOf(folder))) {
    const name = `${folder}/${file}`;
    if (Object.hasOwn(PAGES, name)) continue;
    if (isCheck) {
      complain(`${name} is about nothing in the code`);
    } else {
      rmSync(pathOf(name));
      console.log(`removed ${name}`);
    }
  }
}
