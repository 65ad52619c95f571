import type { Command, Interfaces } from '@oclif/core';
import { Config } from '@oclif/core/config';

/** What the program consists of; whoever starts it has read and loaded it. */
export interface Program {
  /** Folder of package.json. */
  readonly root: string;
  /** Content of package.json. */
  readonly pjson: Interfaces.PJSON;
  /** Content of oclif.manifest.json: all that help and parsing ask of commands before one is loaded. */
  readonly manifest: Interfaces.Manifest;
  /** Classes by id; a getter each, so that only the command that runs is loaded. */
  readonly commands: Readonly<Record<string, Command.Class>>;
}

/**
 * oclif's configuration without its search: it reads no folder, no plugin of the user and no theme, which would cost a
 * third of the start.
 */
export class ProgramConfig extends Config {
  /** @param bin How the user types the name of the program. */
  static async of({ pjson, ...program }: Program, bin: string): Promise<ProgramConfig> {
    const named = { ...pjson, oclif: { ...pjson.oclif, bin } };
    const plugin = pluginOf({ ...program, pjson: named });
    const config = new ProgramConfig({
      root: program.root,
      pjson: named,
      plugins: new Map([[plugin.name, plugin]]),
    });
    await config.load();
    return config;
  }

  /** Our own theme is in `render`; a file of colours for oclif would be looked for otherwise. */
  override scopedEnvVarTrue(name: string): boolean {
    return name === 'DISABLE_THEME' || super.scopedEnvVarTrue(name);
  }
}

/** The program as the only plugin that oclif knows. */
function pluginOf({ root, pjson, manifest, commands }: Program): Interfaces.Plugin {
  const { name, version } = pjson;
  const load = async (id: string): Promise<Command.Class> => {
    const command = commands[id];
    if (command === undefined) throw new Error(`the build holds no command ${id}`);
    return Promise.resolve(Object.assign(command, { id, plugin }));
  };
  const plugin: Interfaces.Plugin = {
    _base: `${name}@${version}`,
    alias: name,
    commandIDs: Object.keys(manifest.commands),
    commands: Object.entries(manifest.commands).map(([id, cached]) => ({
      ...cached,
      pluginAlias: name,
      pluginType: 'core',
      load: () => load(id),
    })),
    commandsDir: undefined,
    findCommand: load,
    hasManifest: true,
    hooks: {},
    isRoot: true,
    load: () => Promise.resolve(),
    moduleType: 'module',
    name,
    options: { root, pjson, isRoot: true },
    pjson,
    root,
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([id, topic]) => ({ ...topic, name: id })),
    type: 'core',
    valid: true,
    version,
  };
  return plugin;
}
