'use strict';
/**
 * Name of the code that a command line uses: the command's id, also where another name of it is used, with dashes; `help` for
 * everything else.
 * @param args Words of the command line.
 * @param commands Commands of the manifest by their ids, such as `ipam:show`.
 */
function cacheName(args, commands) {
  if (args.includes('--help') || args.includes('-h')) return 'help';
  for (let length = args.length; length > 0; length--) {
    const id = idOf(args.slice(0, length).join(':'), commands);
    if (id !== undefined) return id.replaceAll(':', '-');
  }
  return 'help';
}

function idOf(name, commands) {
  if (Object.hasOwn(commands, name)) return name;
  return Object.keys(commands).find((id) => commands[id].aliases?.includes(name));
}

exports.cacheName = cacheName;
