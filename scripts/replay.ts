import { parseArgs } from 'node:util';
import { replayFolder } from '../test/replay/replay-folder.ts';
import { STAGES } from '../test/replay/stages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    datastore: { type: 'string', default: 'memory' },
  },
});
const [folder] = positionals;
const openStages = STAGES[values.datastore];
if (folder === undefined || !openStages) {
  process.stderr.write(`usage: replay FOLDER [--datastore ${Object.keys(STAGES).join('|')}]\n`);
  process.exitCode = 2;
} else {
  const house = await openStages();
  try {
    const tell = (line: string): void => void process.stdout.write(`${line}\n`);
    const { passed, failed, skipped } = await replayFolder(folder, house.open, tell);
    tell(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    process.exitCode = failed > 0 ? 1 : 0;
  } finally {
    await house.close();
  }
}
