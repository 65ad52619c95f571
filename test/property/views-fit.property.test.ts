import { expect } from 'chai';
import fc from 'fast-check';
import { openSnapshot } from '../../src/datastore/snapshot/snapshot-datastore.ts';
import { textWidth } from '../../src/render/text-width.ts';
import { drawnChanges } from '../support/drawn-changes.ts';
import { drawnMigrations } from '../support/drawn-migrations.ts';
import type { DrawnView } from '../support/drawn-view.ts';
import { drawnExplanations, drawnViews } from '../support/drawn-views.ts';
import { type Fixture, readFixtures } from '../support/fixture.ts';
import { inMemory } from '../support/open-fixture.ts';
import { sourceFiles } from '../support/source-files.ts';
import { portsAt } from '../support/writing-runs.ts';

const NOTHING = { stdin: (async function* () {})() };
const WIDTHS = [40, 80, 120, 200];
/** Bullets, indentation and counts before the text of a line. */
const START = /^ *(?:- |[\d,]+ {2})?/;
/** Clusters on which every command does something. */
const RICH = ['several-faults-at-once', 'pool-to-split'];

/** A command to run, on a line of its own. */
const COMMAND = /^ {2}ipamctl \S/;

/** Lines that are too long, but for a single word or a command: what may be copied stays whole. */
function tooLong(text: string, width: number): string[] {
  return text
    .split('\n')
    .filter((line) => textWidth(line) > width && !COMMAND.test(line))
    .filter((line) => /\s/.test(line.replace(START, '').trimEnd()));
}

async function assertFits({ command, view, draw }: DrawnView, width: number): Promise<void> {
  expect(tooLong(await draw(width), width), `${command}, ${view} at ${width}`).to.deep.equal([]);
}

async function assertAllFit(views: readonly DrawnView[], width: number): Promise<void> {
  for (const view of views) await assertFits(view, width);
}

/** Everything that commands say of a fixture, each that changes it on a copy of its own. */
async function textsOf(fixture: Fixture): Promise<readonly DrawnView[]> {
  const { input, expect: answers } = fixture;
  const source = input === undefined ? await inMemory(fixture) : await openSnapshot(input, NOTHING);
  const open = async () => {
    const datastore = await inMemory(fixture);
    return { ...portsAt(datastore, answers.clock), datastore };
  };
  return [...(await drawnViews(portsAt(source, answers.clock))), ...(await drawnChanges(open))];
}

/** Everything that commands say of clusters on which they have something to do. */
async function richTexts(): Promise<readonly DrawnView[]> {
  const rich = readFixtures().filter(({ name }) => RICH.includes(name));
  const parts = await Promise.all([...rich.map(textsOf), drawnMigrations()]);
  return [...parts.flat(), ...drawnExplanations()];
}

/** Views that a command prints: those that its file names, and those of what it extends. */
function viewsOf(text: string): string[] {
  const own = [...text.matchAll(/import \{ (\w+View) \} from/g)].map(([, name = '']) => name);
  const isWriting = /extends (?:Writing|Collecting)Command/.test(text);
  return [...own, ...(isWriting ? ['planView', 'outcomeView'] : [])];
}

describe('text views', () => {
  for (const fixture of readFixtures()) {
    it(`of ${fixture.name} are no wider than the terminal`, async () => {
      const views = await textsOf(fixture);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 40, max: 220 }), (width) => assertAllFit(views, width)),
        { numRuns: 6, examples: WIDTHS.map((width) => [width]) },
      );
    });
  }

  it('of rules, migrations, snapshots and misuse are no wider than the terminal', async () => {
    const views = [...drawnExplanations(), ...(await drawnMigrations())];
    for (const width of WIDTHS) await assertAllFit(views, width);
  });

  it('are all held to the width, whatever command prints them', async () => {
    const drawn = new Set((await richTexts()).map(({ command, view }) => `${command}: ${view}`));
    const wanted = sourceFiles('src/commands', /\.ts$/).flatMap(({ path, text }) => {
      const command = path.replace(/^src\/commands\/|\.ts$/g, '').replaceAll('/', ' ');
      return viewsOf(text).map((view) => `${command}: ${view}`);
    });
    expect(wanted.length).to.be.greaterThan(20);
    expect(wanted.filter((one) => !drawn.has(one))).to.deep.equal([]);
  });

  it('are all held to the width, whatever file they stand in', async () => {
    const drawn = new Set((await richTexts()).map(({ view }): string => view));
    const views = sourceFiles('src/render/views', /\.ts$/).flatMap(({ text }) =>
      [...text.matchAll(/^export (?:const|function) (\w+View)\b/gm)].map(([, name = '']) => name),
    );
    expect(views.length).to.be.greaterThan(10);
    expect(views.filter((view) => !drawn.has(view))).to.deep.equal([]);
  });

  it('belong to a command each, but for completion scripts, which are none', () => {
    const without = sourceFiles('src/commands', /\.ts$/).filter(
      ({ text }) => viewsOf(text).length === 0,
    );
    expect(without.map(({ path }) => path)).to.deep.equal(['src/commands/completion.ts']);
  });
});
