/** JSON Schemas of the documents, made from their types; used by `npm run docs`. */
import { createGenerator } from 'ts-json-schema-generator';

/** Document kind, file that declares it, its type. */
const DOCUMENTS = [
  ['IPAMCheck', 'src/operations/documents/check-document.ts', 'CheckDocument'],
  ['IPAMUtilization', 'src/operations/documents/utilization-document.ts', 'UtilizationDocument'],
  ['IPAMAddress', 'src/operations/documents/address-document.ts', 'AddressDocument'],
  ['IPAMBorrowed', 'src/operations/documents/borrowed-document.ts', 'BorrowedDocument'],
  [
    'IPAMConfiguration',
    'src/operations/documents/configuration-document.ts',
    'ConfigurationDocument',
  ],
  ['IPAMPlan', 'src/operations/documents/plan-document.ts', 'PlanDocument'],
  ['IPAMOutcome', 'src/operations/documents/outcome-document.ts', 'OutcomeDocument'],
  [
    'DatastoreStatus',
    'src/operations/documents/migration-status-document.ts',
    'MigrationStatusDocument',
  ],
  [
    'MigrationExport',
    'src/operations/documents/migration-export-document.ts',
    'MigrationExportDocument',
  ],
  [
    'DatastoreSnapshot',
    'src/operations/documents/datastore-snapshot-document.ts',
    'DatastoreSnapshotDocument',
  ],
  ['IPAMExplanation', 'src/operations/documents/explanation-document.ts', 'ExplanationDocument'],
  ['IPAMError', 'src/render/views/error.ts', 'ErrorDocument'],
  ['IPAMCheckReport', 'src/check/report.ts', 'CheckReport'],
];

/** Every number in our documents is a whole number of any size. */
function withIntegers(schema) {
  if (Array.isArray(schema)) return schema.map(withIntegers);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withIntegers(value)]),
  );
  if (copy.type === 'number') copy.type = 'integer';
  if (Array.isArray(copy.type))
    copy.type = copy.type.map((type) => (type === 'number' ? 'integer' : type));
  return copy;
}

/** Name and text of every schema file. */
export const SCHEMAS = Object.fromEntries(
  DOCUMENTS.map(([kind, path, type]) => [
    `docs/schema/${kind}.schema.json`,
    () => schemaText({ kind, path, type }),
  ]),
);

function schemaText({ kind, path, type }) {
  const generator = createGenerator({
    path,
    type,
    tsconfig: 'tsconfig.json',
    skipTypeCheck: true,
    topRef: false,
  });
  return JSON.stringify({ title: kind, ...withIntegers(generator.createSchema(type)) });
}
