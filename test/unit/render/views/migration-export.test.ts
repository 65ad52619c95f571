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
  return migrationExportView().text(document, await plainSurface(width));
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
        'Exported the memory datastore (cluster guid-1) with 2 nodes to out.calico.',
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
        '',
        'Next, on the side of Kubernetes: ipamctl datastore migrate import --filename out.calico --dry-run',
      ),
    );
  });

  it('lists refusals before anything else', async () => {
    const text = await textOf(await exported([nodeEntry('bare-1'), nodeEntry('bare-2')]));
    expect(text).to.equal(
      lines(
        'Nothing of the memory datastore (cluster guid-1) was exported: 2 refusals.',
        '',
        'Refused: 2',
        '  - Node bare-1 names no node of Kubernetes',
        '  - Node bare-2 names no node of Kubernetes',
        '',
        '+------+-----------+',
        '| KIND | TO EXPORT |',
        '+------+-----------+',
        '| Node |         2 |',
        '+------+-----------+',
        '',
        'The source holds neither pools nor IPAM data: make sure that it is the one that is meant, and not an',
        'empty one at another address.',
      ),
    );
  });

  it('lists the first refusals of many, and all when that is asked for', async () => {
    const many = Array.from({ length: 70 }, (_, at) => nodeEntry(`bare-${at}`));
    const { document } = await exported(many);
    const surface = await plainSurface(100);
    expect(migrationExportView().text(document, surface)).to.include(
      '\n  ... and 20 more; --verbose lists all\n',
    );
    expect(
      migrationExportView({ isComplete: true })
        .text(document, surface)
        .match(/ - Node/g),
    ).to.have.length(70);
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
