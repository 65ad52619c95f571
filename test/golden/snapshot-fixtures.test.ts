import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Datastore } from '../../src/datastore/datastore.ts';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { parseJson } from '../../src/support/json.ts';
import { parseTime } from '../../src/support/time.ts';
import { readFixtures, type Fixture } from '../support/fixture.ts';
import { inMemory } from '../support/open-fixture.ts';
import { leaksOf, sensitiveTextsOf } from '../support/sensitive-texts.ts';
import { answersOf, LEVELS, openText, snapshotText } from '../support/snapshot-answers.ts';

/** Opens a fixture as the command would; undefined for input that cannot be opened, which is what it is about. */
async function open(fixture: Fixture): Promise<Datastore | undefined> {
  if (existsSync(join(fixture.folder, 'etcd.json'))) return inMemory(fixture);
  try {
    return await openSnapshot(fixture.input ?? '', { stdin: (async function* () {})() });
  } catch (error) {
    if (error instanceof ToolError && fixture.expect.check?.byCode === undefined) return undefined;
    throw error;
  }
}

describe('snapshots of fixtures', () => {
  for (const fixture of readFixtures()) {
    const now = parseTime(fixture.expect.clock) ?? 0;
    for (const level of LEVELS) {
      it(`answer as ${fixture.name} does${level ? `, redacted (${level})` : ''}`, async () => {
        const source = await open(fixture);
        if (source === undefined) return;
        const text = await snapshotText(source, level, now);
        const snapshot = await openText(text);
        expect(await answersOf(snapshot, now)).to.deep.equal(await answersOf(source, now));
        // One line is one row, however large the file is.
        for (const line of text
          .trimEnd()
          .split('\n')
          .filter((part) => part.startsWith('{"apiVersion')))
          expect(() => parseJson(line.replace(/,$/, ''))).not.to.throw();
        if (level !== undefined) {
          expect(leaksOf(text, await sensitiveTextsOf(source), level)).to.deep.equal([]);
          expect(await snapshotText(snapshot, level, now), 'redacted once more').not.to.equal(text);
        }
        if (level === undefined)
          expect(await snapshotText(await openText(text), undefined, now)).to.include(
            text.slice(text.indexOf('"items":[')),
          );
      });
    }
  }
});
