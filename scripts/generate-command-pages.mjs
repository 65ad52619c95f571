/** A page per command, made from the command manifest; used by `npm run docs`. */
import { readFileSync } from 'node:fs';
import { CONFIG_FIELDS } from '../src/datastore/config-fields.ts';
import { table } from './markdown.mjs';

const FOLDER = 'docs/commands';
const NOTICE = '<!-- Made by npm run docs; edit the command, not this page. -->';
const PROGRAM = 'ipamctl';

/** Title of the table of flags that the help shows without a heading. */
const OWN_FLAGS = 'Flags';

/** Settings of the environment that a flag stands above. */
const FLAG_SETTINGS = {
  kubeconfig: 'kubeconfig',
  context: 'k8sCurrentContext',
  qps: 'k8sClientQPS',
};

/** Variables that no connection setting has. */
const FLAG_VARIABLES = { 'no-color': ['NO_COLOR'] };

/** Documents that commands print under `--format json`, beside {@link CHANGES}. */
const DOCUMENTS = {
  'ipam check': ['IPAMCheck', 'IPAMExplanation', 'IPAMCheckReport'],
  'ipam show': ['IPAMUtilization', 'IPAMAddress', 'IPAMBorrowed', 'IPAMConfiguration'],
  'datastore migrate status': ['DatastoreStatus'],
  'datastore migrate export': ['MigrationExport'],
  'datastore snapshot': ['DatastoreSnapshot'],
  completion: [],
};

/** What a command prints that writes to the datastore: its plan under `--dry-run`, or what came of it. */
const CHANGES = ['IPAMPlan', 'IPAMOutcome'];

const { commands } = JSON.parse(
  readFileSync(new URL('../oclif.manifest.json', import.meta.url), 'utf8'),
);

const ALL = Object.values(commands)
  .map((command) => ({ ...command, words: command.id.replaceAll(':', ' ') }))
  .sort((a, b) => (a.words < b.words ? -1 : 1));

/** Name and text of every page. */
export const COMMAND_PAGES = {
  [`${FOLDER}/README.md`]: indexPage,
  ...Object.fromEntries(ALL.map((command) => [pathOf(command), () => commandPage(command)])),
};

function pathOf({ words }) {
  return `${FOLDER}/${fileName(words)}`;
}

function fileName(words) {
  return `${words.replaceAll(' ', '-')}.md`;
}

function indexPage() {
  return [
    NOTICE,
    '# Commands',
    '',
    'Results go to standard output, everything else to standard error. `--help` or `-h` after any of them, and `help` before',
    'it, tells what this folder does. What all statuses mean: [exit statuses](../exit-codes.md).',
    '',
    'Text is for readers: of a long list it counts each sort and shows the first ten, on a terminal as in a pipe, and says',
    'how many there are more; `--verbose` shows all. `--format json` and `yaml` always hold everything. A text is as wide as',
    'the terminal, and as it needs to be elsewhere (`COLUMNS` limits it); what is to be copied, a name or a command, is never',
    'broken.',
    '',
    ...table(
      ['Command', 'Does'],
      ALL.map(({ words, summary, aliases }) => [
        `[\`${words}\`](${fileName(words)})${aliases.map((alias) => `, \`${alias}\``).join('')}`,
        summary,
      ]),
    ),
    '',
  ].join('\n');
}

function commandPage(command) {
  const { words, summary, aliases, args } = command;
  const [description, statuses] = splitDescription(command.description);
  return [
    NOTICE,
    `# ${PROGRAM} ${words}`,
    '',
    `${summary}.`,
    '',
    ...block('text', [usage(command)]),
    ...aliases.flatMap((alias) => [`Short: \`${PROGRAM} ${alias}\`.`, '']),
    description,
    '',
    ...section('Arguments', argumentRows(args)),
    ...flagSections(command.flags),
    '## Examples',
    '',
    ...command.examples.flatMap((example) => [
      example.description,
      '',
      ...block('console', [`$ ${withProgram(example.command)}`]),
    ]),
    ...documents(words),
    '## Exit statuses',
    '',
    ...table(['Status', 'Meaning'], statuses),
    '',
  ].join('\n');
}

/** The text, and the rows of the table that every description ends with. */
function splitDescription(text) {
  const [description, rows] = text.split('\n\nEXIT STATUS\n');
  return [description, rows.split('\n').map((row) => /^(\d+)\s+(.*)$/.exec(row).slice(1))];
}

function usage({ words, usage: pattern, flags }) {
  const required = Object.values(flags)
    .filter((flag) => flag.required)
    .map((flag) => `--${flag.name} ${flag.helpValue}`);
  const text = pattern ?? ['<%= command.id %>', ...required, '[FLAGS]'].join(' ');
  return `${PROGRAM} ${text.replaceAll('<%= command.id %>', words)}`;
}

function withProgram(text) {
  return text.replaceAll('<%= config.bin %>', PROGRAM);
}

function block(language, lines) {
  return [`\`\`\`${language}`, ...lines, '```', ''];
}

function section(title, rows) {
  return rows.length === 0 ? [] : [`## ${title}`, '', ...rows, ''];
}

function argumentRows(args) {
  const rows = Object.values(args).map(({ name, description, options, required }) => [
    `\`${name.toUpperCase()}\`${required ? '' : ' (optional)'}`,
    options === undefined ? description : `${description} One of ${list(options)}.`,
  ]);
  return rows.length === 0 ? [] : table(['Argument', 'Meaning'], rows);
}

/** One table for each group of the help, the command's own flags first. */
function flagSections(flags) {
  const shown = Object.values(flags).filter(({ hidden }) => !hidden);
  const groups = Map.groupBy(shown, ({ helpGroup }) => helpGroup ?? '');
  const names = [...groups.keys()].sort((a, b) => rank(a) - rank(b));
  return names.flatMap((name) => section(titleOf(name), flagTable(groups.get(name))));
}

/** Groups that only some commands have come first, what all have comes last. */
function rank(group) {
  const last = ['WRITING', 'CONNECTION', 'GENERAL'].indexOf(group);
  return last < 0 ? (group === '' ? -2 : -1) : last;
}

function titleOf(group) {
  if (group === '') return OWN_FLAGS;
  return `${group[0]}${group.slice(1).toLowerCase()}`;
}

function flagTable(flags) {
  const hasDefault = flags.some((flag) => flag.default !== undefined);
  const hasVariable = flags.some((flag) => variablesOf(flag).length > 0);
  const head = [
    'Flag',
    ...(hasDefault ? ['Default'] : []),
    ...(hasVariable ? ['Environment'] : []),
    'Meaning',
  ];
  return table(
    head,
    flags.map((flag) => [
      spelling(flag),
      ...(hasDefault ? [flag.default === undefined ? '' : `\`${flag.default}\``] : []),
      ...(hasVariable ? [list(variablesOf(flag))] : []),
      meaning(flag),
    ]),
  );
}

function spelling({ name, char, type, helpValue, options }) {
  const value = type === 'boolean' ? '' : ` ${helpValue ?? options?.join('|') ?? 'VALUE'}`;
  return `${char === undefined ? '' : `\`-${char}\`, `}\`--${name}${value}\``;
}

function meaning({ summary, multiple, delimiter, exclusive = [], required }) {
  return [
    summary,
    required ? 'Required.' : '',
    multiple
      ? delimiter
        ? 'Several, joined by commas, or the flag again.'
        : 'May be repeated.'
      : '',
    exclusive.length === 0 ? '' : `Not with ${list(exclusive.map((name) => `--${name}`))}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The first of them that is set counts; a flag stands above all of them. */
function variablesOf({ name }) {
  const setting = FLAG_SETTINGS[name];
  return setting === undefined ? (FLAG_VARIABLES[name] ?? []) : CONFIG_FIELDS[setting].variables;
}

function list(words) {
  return words.map((word) => `\`${word}\``).join(', ');
}

function documents(words) {
  const kinds = DOCUMENTS[words] ?? CHANGES;
  if (kinds.length === 0) return [];
  const links = [...kinds, 'IPAMError'].map((kind) => `[${kind}](../schema/${kind}.schema.json)`);
  return ['## Documents', '', `Under \`--format json\` or \`yaml\`: ${links.join(', ')}.`, ''];
}
