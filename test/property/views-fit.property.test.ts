import { expect } from 'chai';
import fc from 'fast-check';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { textWidth } from '../../src/render/text-width.ts';
import {
  type DrawnView,
  drawnChanges,
  drawnExplanations,
  drawnViews,
} from '../support/drawn-views.ts';
import { readFixtures } from '../support/fixture.ts';
import { inMemory } from '../support/open-fixture.ts';
import { portsAt } from '../support/writing-runs.ts';

const NOTHING = { stdin: (async function* () {})() };
/** Bullets and indentation before the text of a line. */
const START = /^ *(?:- )?/;

/** Lines that are too long, but for a single word: a name stays whole, so that it can be copied. */
function tooLong(text: string, width: number): string[] {
  return text
    .split('\n')
    .filter((line) => textWidth(line) > width && /\s/.test(line.replace(START, '').trimEnd()));
}

async function assertFits({ title, draw }: DrawnView, width: number): Promise<void> {
  expect(tooLong(await draw(width), width), `${title} at ${width}`).to.deep.equal([]);
}

describe('text views', () => {
  for (const fixture of readFixtures()) {
    it(`of ${fixture.name} are no wider than the terminal`, async () => {
      const { input, expect: answers } = fixture;
      const source =
        input === undefined ? await inMemory(fixture) : await openSnapshot(input, NOTHING);
      const views = [
        ...(await drawnViews(portsAt(source, answers.clock))),
        ...(await drawnChanges(portsAt(await inMemory(fixture), answers.clock))),
      ];
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 40, max: 220 }), async (width) => {
          for (const view of views) await assertFits(view, width);
        }),
        { numRuns: 8, examples: [[40], [80], [120], [200]] },
      );
    });
  }

  it('of all rules are no wider than the terminal', async () => {
    for (const width of [40, 80, 120, 200])
      for (const view of drawnExplanations()) await assertFits(view, width);
  });
});
