import { Errors } from '@oclif/core';
import { expect } from 'chai';
import { parse } from 'yaml';
import { formatIn, toErrorDocument, toToolError } from '../../../src/cli/report-error.ts';
import { AccessDeniedError } from '../../../src/errors/access-denied-error.ts';
import { CancelledError } from '../../../src/errors/cancelled-error.ts';
import { ConfigError } from '../../../src/errors/config-error.ts';
import { ConflictError } from '../../../src/errors/conflict-error.ts';
import { DataError } from '../../../src/errors/data-error.ts';
import { InternalError } from '../../../src/errors/internal-error.ts';
import { NotFoundError } from '../../../src/errors/not-found-error.ts';
import { PreconditionError } from '../../../src/errors/precondition-error.ts';
import { UnavailableError } from '../../../src/errors/unavailable-error.ts';
import { UnsupportedError } from '../../../src/errors/unsupported-error.ts';
import { UsageError } from '../../../src/errors/usage-error.ts';
import type { Format } from '../../../src/render/format.ts';
import { render } from '../../../src/render/render.ts';
import { errorView } from '../../../src/render/views/error.ts';

/** Everything that may be thrown, with the status and code that it ends in. */
const TABLE: readonly (readonly [unknown, number, string])[] = [
  [new UsageError('m'), 2, 'USAGE'],
  [new NotFoundError('m'), 4, 'NOT_FOUND'],
  [new ConflictError('m'), 5, 'CONFLICT'],
  [new PreconditionError('m'), 6, 'REFUSED'],
  [new AccessDeniedError('m', { details: { denied: ['list pods'] } }), 7, 'ACCESS_DENIED'],
  [new UnavailableError('m', { details: { revision: 1764426000123456789n } }), 8, 'UNAVAILABLE'],
  [new ConfigError('m', { hint: 'look there' }), 8, 'CONFIGURATION'],
  [new DataError('m'), 9, 'DATA'],
  [new UnsupportedError('m'), 10, 'UNSUPPORTED'],
  [new InternalError('m'), 70, 'INTERNAL'],
  [new CancelledError('m', { signal: 'SIGINT' }), 130, 'CANCELLED'],
  [new CancelledError('m', { signal: 'SIGTERM' }), 143, 'CANCELLED'],
  [new Errors.CLIError('bad flag', { exit: 2 }), 2, 'USAGE'],
  [new Errors.CLIError('broken', { exit: 1 }), 70, 'INTERNAL'],
  [new TypeError('x is undefined'), 70, 'INTERNAL'],
  ['a string', 70, 'INTERNAL'],
  [undefined, 70, 'INTERNAL'],
];

const FORMATS: readonly Format[] = ['text', 'json', 'yaml', 'html'];

describe('cli/report-error', () => {
  for (const [thrown, status, code] of TABLE) {
    const name = thrown instanceof Error ? thrown.constructor.name : String(thrown);
    it(`ends ${name} in status ${status} and code ${code} in every format`, async () => {
      const document = toErrorDocument(toToolError(thrown));
      expect(document).to.include({ kind: 'IPAMError', schemaVersion: 1, status, code });
      for (const format of FORMATS) {
        const text = await render(document, errorView, { format, width: 80, hasColor: false });
        if (format === 'json' || format === 'yaml')
          expect(parse(text)).to.include({ status, code });
        else expect(text).to.match(/^Error: \S/);
      }
    });
  }

  it('rewrites what oclif says about a command line', () => {
    const texts: readonly (readonly [string, string])[] = [
      ['Nonexistent flag: --frob\nSee more help with --help', 'nonexistent flag: --frob'],
      [
        'The following errors occurred:\n  \u001b[2m--ip=16909060 cannot also be provided when using --map\n  --map=true cannot also be provided when using --ip\u001b[22m\nSee more help with --help',
        '--ip and --map exclude each other',
      ],
    ];
    for (const [said, ours] of texts) {
      expect(toToolError(new Errors.CLIError(said, { exit: 2 })).message).to.equal(ours);
    }
  });

  it('takes off what oclif writes around the error of a flag', () => {
    const error = new UsageError(
      'Parsing --ip \n\t--ip: "x" is an invalid IP address\nSee more help with --help',
    );
    expect(toToolError(error)).to.equal(error);
    expect(error.message).to.equal('--ip: "x" is an invalid IP address');
  });

  it('finds the format on a command line that does not parse', () => {
    expect(formatIn(['--format', 'json', '--frob'])).to.equal('json');
    expect(formatIn(['--format=yaml'])).to.equal('yaml');
    expect(formatIn(['--format', 'text', '--format=json'])).to.equal('json');
    for (const argv of [
      [],
      ['--format'],
      ['--format', 'html'],
      ['--format', 'xml'],
      ['--', '--format', 'json'],
    ]) {
      expect(formatIn(argv)).to.equal('text');
    }
  });
});
