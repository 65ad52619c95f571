import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { migrationExportView } from '../../../../src/render/views/migration-export.ts';
import { stringifyJson } from '../../../../src/support/json.ts';
import { blockEntry, exported, type Exported, nodeEntry } from '../../../support/export-world.ts';
import { lines, plainSurface, widest } from '../../../support/surface.ts';

const SCHEMA = join(import.meta.dirname, '../../../../docs/schema/MigrationExport.schema.json');
const validate = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(SCHEMA, 'utf8')) as object,
);

async function textOf({ document }: Exported, width = 100): Promise<string> {
  return migrationExportView.text(document, await plainSurface(width));
}

function done(): Promise<Exported> {
  const old = { ...(blockEntry('10.0.0.0/30', 'host:a').value as object), attributes: null };
  return exported(
    [
      nodeEntry('a', 'a.example'),
      nodeEntry('b', 'b'),
      nodeEntry('bare\u001b[31m'),
      { ...blockEntry('10.0.0.0/30', 'host:a'), value: old },
    ],
    { skipNodes: ['bare\u001b[31m'] },
  );
}

describe('render/views/migration-export', () => {
  it('says where the file is, what is in it and what was left out or healed', async () => {
    expect(await textOf(await done())).to.equal(
      lines(
        'the memory datastore (cluster guid-1) with 2 nodes is exported to out.calico.',
        '',
        '+-----------+-------------+----------+',
        '| KIND      | IN THE FILE | LEFT OUT |',
        '+-----------+-------------+----------+',
        '| Node      |           2 |        1 |',
        '| IPAMBlock |           1 |        0 |',
        '+-----------+-------------+----------+',
        '',
        'Nodes under another name:',
        '  - a is a.example in Kubernetes',
        '',
        'Nodes left out:',
        '  - bare\\x1b[31m',
        '',
        'Old forms:',
        '  - 1 x blocks without attributes given an empty list',
      ),
    );
  });

  it('lists refusals', async () => {
    const text = await textOf(await exported([nodeEntry('bare-1'), nodeEntry('bare-2')]));
    expect(text).to.include(
      'Nothing of the memory datastore (cluster guid-1) was exported: 2 refusals.',
    );
    expect(text).to.include('  - Node bare-1 names no node of Kubernetes\n  - Node bare-2');
  });

  it('keeps to the width', async () => {
    expect(widest(await textOf(await done(), 60))).to.be.at.most(60);
  });

  it('shows documents as their schema has them', async () => {
    for (const { document } of [await done(), await exported([nodeEntry('bare-1')])]) {
      expect(
        validate(JSON.parse(stringifyJson(document))),
        JSON.stringify(validate.errors),
      ).to.equal(true);
    }
  });
});
