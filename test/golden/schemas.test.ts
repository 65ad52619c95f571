import { Ajv } from 'ajv';
import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { toErrorDocument } from '../../src/cli/report-error.ts';
import { NotFoundError } from '../../src/errors/not-found-error.ts';
import { parseAddress } from '../../src/net/address.ts';
import { explainRule } from '../../src/operations/explain-rule.ts';
import { runCheck } from '../../src/operations/run-check.ts';
import { showAddress } from '../../src/operations/show-address.ts';
import { showBorrowed } from '../../src/operations/show-borrowed.ts';
import { showConfiguration } from '../../src/operations/show-configuration.ts';
import { showUtilization } from '../../src/operations/show-utilization.ts';
import { stringifyJson } from '../../src/support/json.ts';
import { readFixtures } from '../support/fixture.ts';
import { contextOf } from '../support/scripted-datastore.ts';

const SCHEMAS = join(import.meta.dirname, '..', '..', 'docs', 'schema');

const ajv = new Ajv({ allErrors: true });
const validators = new Map(
  readdirSync(SCHEMAS).map((file) => {
    const text = readFileSync(join(SCHEMAS, file), 'utf8');
    return [file.replace('.schema.json', ''), ajv.compile(JSON.parse(text) as object)];
  }),
);

/** What is wrong with a document; numbers beyond 2^53 stay whole numbers, which is all that a schema says of them. */
function faultsOf(kind: string, document: unknown): unknown {
  const validate = validators.get(kind);
  if (!validate) throw new Error(`there is no schema for ${kind}`);
  return validate(JSON.parse(stringifyJson(document))) ? [] : validate.errors;
}

/** Every document that can be made of a snapshot, by kind. */
async function documentsOf(input: string): Promise<[string, unknown][]> {
  const context = contextOf(await openSnapshot(input, { stdin: (async function* () {})() }));
  const check = await runCheck(context, {
    failOn: 'never',
    only: [],
    skip: [],
    minAgeMs: 300_000,
    allowPartial: true,
    showAllIps: true,
    utilization: true,
    report: true,
  });
  const views = [
    showUtilization(context, { showBlocks: true, map: true }),
    showUtilization(context, { by: 'node' }),
    showUtilization(context, { by: 'namespace' }),
    showBorrowed(context),
    ...check.document.findings
      .flatMap(({ subject }) => parseAddress(subject.address ?? '') ?? [])
      .slice(0, 5)
      .map((address) => showAddress(context, { address })),
    ...(input.includes('dump-without') || input.includes('calico')
      ? []
      : [showConfiguration(context)]),
  ];
  const documents = (await Promise.all(views)).map(({ document }) => document);
  return [
    ['IPAMCheckReport', check.report],
    ...[check.document, ...documents].map((document): [string, unknown] => [
      document.kind,
      document,
    ]),
  ];
}

describe('docs/schema', () => {
  for (const { name, input } of readFixtures()) {
    if (input === undefined) continue;
    it(`holds for the documents of ${name}`, async () => {
      for (const [kind, document] of await documentsOf(input)) {
        expect(faultsOf(kind, document), kind).to.deep.equal([]);
      }
    });
  }

  it('holds for an explanation and an error', () => {
    expect(faultsOf('IPAMExplanation', explainRule('leaked-address').document)).to.deep.equal([]);
    const error = new NotFoundError('no pool "x"', { hint: 'look', details: { pools: ['a'] } });
    expect(faultsOf('IPAMError', toErrorDocument(error))).to.deep.equal([]);
  });

  it('refuses a document with a field that it does not know', () => {
    expect(faultsOf('IPAMBorrowed', { kind: 'IPAMBorrowed', extra: 1 })).to.not.deep.equal([]);
  });
});
