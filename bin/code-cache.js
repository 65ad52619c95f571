'use strict';
const { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');
const { crc32 } = require('node:zlib');
const { cacheName } = require('./cache-name.js');

/** What code must begin at a multiple of, or it is copied; the checksum takes as much. */
const ALIGNMENT = 8;
/** Statuses of runs that went all the way; others have not used what the next run will need. */
const WHOLE_RUNS = [0, 1, 3];

/**
 * Keeps the compiled code of each command, which halves the time to start. Node's own cache holds what is compiled before a
 * file runs, and leaves every function to be compiled again when it is called. This one is filled at the end of a run,
 * with the functions that the run called, so commands have one each. Without a folder that is safe there is none.
 * @param args Words of the command line.
 * @param commands Commands of the manifest by their ids, such as `ipam:show`.
 * @param dist Folder of the files that are loaded.
 */
function codeCache(args, commands, dist) {
  const folder = safeFolder(cacheName(args, commands));
  const marks = new Map();
  return {
    /** The code of a file; undefined where there is none, or one of another text or another Node. */
    codeOf(name) {
      if (folder === undefined) return undefined;
      const mark = markOf(join(dist, name));
      marks.set(name, mark);
      return readCode(join(folder, name), mark);
    },
    /** Keeps the code of all files that were loaded when one of them had none. */
    keep(files) {
      if (folder === undefined || !WHOLE_RUNS.includes(process.exitCode ?? 0)) return;
      if ([...files.values()].every(({ script }) => script.cachedDataRejected === false)) return;
      for (const [name, { script }] of files)
        writeCode(join(folder, name), marks.get(name), script.createCachedData());
    },
  };
}

/** Of which file and which Node code is; V8 itself compares no more than the length of the text. */
function markOf(path) {
  const { size, ctimeNs } = statSync(path, { bigint: true });
  const mark = Buffer.from(
    JSON.stringify([process.version, process.arch, path, `${size}`, `${ctimeNs}`]),
  );
  return Buffer.concat([mark], Math.ceil(mark.length / ALIGNMENT) * ALIGNMENT);
}

function checksumOf(code) {
  const sum = Buffer.alloc(ALIGNMENT);
  sum.writeUInt32LE(crc32(code));
  return sum;
}

/** The checksum is looked at since V8 sees that code was cut, but crashes on code that is damaged. */
function readCode(path, mark) {
  try {
    const content = readFileSync(path);
    const start = mark.length + ALIGNMENT;
    const code = content.subarray(start);
    if (content.subarray(0, start).equals(Buffer.concat([mark, checksumOf(code)]))) return code;
  } catch {
    // There is none yet.
  }
  return undefined;
}

/** Whoever reads it meanwhile finds the old one whole, or the new one. */
function writeCode(path, mark, code) {
  const next = `${path}-${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(next, Buffer.concat([mark, checksumOf(code), code]), { flag: 'wx', mode: 0o600 });
    renameSync(next, path);
  } catch {
    // The next run goes without it.
    rmSync(next, { force: true });
  }
}

/** Folder of a cache; undefined where no other can be kept from writing to it. */
function safeFolder(name) {
  try {
    const folder = join(cacheHome(), 'ipamctl', 'code', name);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOurs(folder) ? folder : undefined;
  } catch {
    // No home, or one that cannot be written.
    return undefined;
  }
}

function cacheHome() {
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

/** Whoever writes to the folder decides what this process runs. */
function isOurs(folder) {
  const { uid, mode } = statSync(folder);
  return uid === process.geteuid?.() && (mode & 0o022) === 0;
}

exports.codeCache = codeCache;
