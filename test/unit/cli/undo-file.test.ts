import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { UndoFile } from '../../../src/cli/undo-file.ts';
import type { UndoHeader } from '../../../src/operations/undo/undo-log.ts';
import { failureOf, temporaryFolders } from '../../support/temp-folder.ts';

const HEADER: UndoHeader = {
  kind: 'IPAMUndo',
  schemaVersion: 1,
  command: 'ipam release',
  clusterGUID: 'g',
  apiGroup: 'a',
  time: 't',
};

describe('cli/undo-file', () => {
  const makeFolder = temporaryFolders();
  const placeIn = (folder: string, warnings: string[] = []) => ({
    env: { XDG_STATE_HOME: folder },
    homeDir: folder,
    now: 0,
    warn: (text: string) => void warnings.push(text),
  });

  it('goes on with a journal of the same name, and warns where there can be none', async () => {
    const folder = await makeFolder({});
    const first = await UndoFile.openJournal('a.jsonl', placeIn(folder));
    await first.append({ n: 1 }, HEADER);
    await first.close();
    const second = await UndoFile.openJournal('a.jsonl', placeIn(folder));
    expect(second.text).to.include('{"n":1}');
    await second.append({ n: 2 }, HEADER);
    await second.close();
    const text = readFileSync(join(folder, 'ipamctl', 'import', 'a.jsonl'), 'utf8');
    expect(text.split('\n').slice(1)).to.deep.equal(['{"n":1}', '{"n":2}', '']);

    const warnings: string[] = [];
    const blocked = await makeFolder({ ipamctl: 'a file' });
    const third = await UndoFile.openJournal('a.jsonl', placeIn(blocked, warnings));
    await third.append({ n: 1 }, HEADER);
    expect(warnings).to.have.length(1);
    expect(third.path).to.equal(undefined);

    mkdirSync(join(folder, 'ipamctl', 'import', 'b.jsonl'));
    const fourth = await UndoFile.openJournal('b.jsonl', placeIn(folder, warnings));
    await fourth.append({ n: 1 }, HEADER);
    expect(warnings[1]).to.include('b.jsonl: it is a folder');
  });

  it('makes the file at the first line, for its owner only, and keeps the order of lines', async () => {
    const folder = await makeFolder({});
    const path = join(folder, 'undo.jsonl');
    const undo = await UndoFile.open(path, placeIn(folder));
    expect(undo.path).to.equal(undefined);
    await Promise.all([1, 2, 3].map((n) => undo.append({ n }, HEADER)));
    await undo.close();
    expect(readFileSync(path, 'utf8').split('\n').slice(1)).to.deep.equal([
      '{"n":1}',
      '{"n":2}',
      '{"n":3}',
      '',
    ]);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(undo.path).to.equal(path);
  });

  it('appends to a file that is there, without a last line that was cut', async () => {
    const folder = await makeFolder({ 'undo.jsonl': '{"kind":"IPAMUndo"}\n{"n":1}\n{"n":2,"ac' });
    const path = join(folder, 'undo.jsonl');
    const undo = await UndoFile.open(path, placeIn(folder));
    await undo.append({ n: 2 }, HEADER);
    await undo.close();
    expect(readFileSync(path, 'utf8')).to.equal('{"kind":"IPAMUndo"}\n{"n":1}\n{"n":2}\n');
  });

  it('refuses a named path that cannot be written', async () => {
    const folder = await makeFolder({});
    for (const path of [join(folder, 'absent', 'undo'), folder, '', '-']) {
      expect(await failureOf(UndoFile.open(path, placeIn(folder)))).to.include({ status: 2 });
    }
  });

  it('tells what it could not write to the write that needed it, and then closes in peace', async () => {
    const folder = await makeFolder({});
    const path = join(folder, 'undo.jsonl');
    const undo = await UndoFile.open(path, placeIn(folder));
    mkdirSync(path);
    for (const n of [1, 2]) {
      expect(await failureOf(undo.append({ n }, HEADER))).to.include({ status: 2 });
    }
    await undo.close();
  });

  it('is written by one run at a time, named or a journal', async () => {
    const folder = await makeFolder({});
    const path = join(folder, 'undo.jsonl');
    for (const open of [
      () => UndoFile.open(path, placeIn(folder)),
      () => UndoFile.openJournal('a.jsonl', placeIn(folder)),
    ]) {
      const [first, second, third] = [await open(), await open(), await open()];
      await first.append({ n: 1 }, HEADER);
      const busy = await failureOf(second.append({ n: 1 }, HEADER));
      expect(busy).to.include({ status: 2 });
      expect(busy.message).to.include('is writing to it');
      await first.close();
      const late = await failureOf(third.append({ n: 1 }, HEADER));
      expect(late).to.include({ status: 2, hint: 'run the command again, or name another file' });
      expect(late.message).to.include('another run has made it meanwhile');

      const [fourth, fifth] = [await open(), await open()];
      await fourth.append({ n: 2 }, HEADER);
      await fourth.close();
      const changed = await failureOf(fifth.append({ n: 2 }, HEADER));
      expect(changed.message).to.include('another run has written to it meanwhile');
      await fifth.close();
      const text = readFileSync(fourth.name, 'utf8');
      expect(text.split('\n').slice(1)).to.deep.equal(['{"n":1}', '{"n":2}', '']);
      expect(readdirSync(dirname(fourth.name)).filter((name) => /lock/.test(name))).to.be.empty;
    }
  });

  it('says why there is none where the default place cannot be written', async () => {
    const folder = await makeFolder({ file: 'x' });
    const undo = await UndoFile.open(undefined, placeIn(join(folder, 'file')));
    expect(undo.problem).to.equal(undefined);
    await undo.append({ n: 1 }, HEADER);
    expect(undo.problem).to.include('cannot write the undo file').and.include('is no folder');
  });

  it('is no device, which would keep nothing', async () => {
    const error = await failureOf(UndoFile.open('/dev/null', placeIn('/nowhere')));
    expect(error).to.include({ status: 2, hint: 'name a file' });
    expect(error.message).to.include('it is no file, and would keep nothing');
  });

  it('uses the state folder when no path is named, and only warns when that cannot be written', async () => {
    const folder = await makeFolder({ file: 'x' });
    const undo = await UndoFile.open(undefined, placeIn(folder));
    await undo.append({ n: 1 }, HEADER);
    await undo.close();
    expect(undo.path).to.contain(join(folder, 'ipamctl', 'undo'));
    const warnings: string[] = [];
    const other = await UndoFile.open(undefined, placeIn(join(folder, 'file'), warnings));
    await other.append({ n: 1 }, HEADER);
    expect(other.path).to.equal(undefined);
    expect(warnings).to.have.length(1);
  });
});
