'use strict';
const { mkdirSync, statSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { homedir } = require('node:os');
const { join } = require('node:path');

/**
 * Lets Node keep the compiled code of each command, which halves the time to start. A cache holds what its first run
 * used, so commands have one each. Without a folder that is safe there is none.
 * @param ids Ids of all commands, such as `ipam:show`.
 */
function cacheCode(args, ids) {
  try {
    const folder = join(cacheHome(), 'ipamctl', 'code', cacheName(args, ids).replaceAll(':', '-'));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOurs(folder)) enableCompileCache(folder);
  } catch {
    // No home, or one that cannot be written.
  }
}

function cacheHome() {
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

/** The command that the arguments name; `help` for everything else. */
function cacheName(args, ids) {
  if (args.includes('--help')) return 'help';
  for (let length = args.length; length > 0; length--) {
    const id = args.slice(0, length).join(':');
    if (ids.includes(id)) return id;
  }
  return 'help';
}

/** Whoever writes to the folder decides what this process runs. */
function isOurs(folder) {
  const { uid, mode } = statSync(folder);
  return uid === process.geteuid?.() && (mode & 0o022) === 0;
}

exports.cacheCode = cacheCode;
exports.cacheName = cacheName;
