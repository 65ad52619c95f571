import { Args } from '@oclif/core';
import { describeCommand } from '../../../cli/help-text.ts';
import { readNameMap } from '../../../cli/name-map.ts';
import { renameFlags } from '../../../cli/rename-flags.ts';
import { WritingCommand } from '../../../cli/writing-command.ts';
import { planRename, RENAME_COMMAND } from '../../../operations/rename-nodes.ts';
import { nameMapFrom } from '../../../operations/rename/rename-options.ts';
import { continueUndo } from '../../../operations/undo/continue-undo.ts';

/** `datastore migrate rename-node`. */
export default class DatastoreMigrateRenameNode extends WritingCommand {
  static override summary = 'Give a node another name in all that IPAM knows of it';
  static override description = describeCommand(
    'Rewrites owners of blocks, affinity rows, node attributes and the handles of tunnels, block by block, each as a whole ' +
      'or not at all; addresses stay where they are. Refuses a new name that has a row for the same block or a handle of ' +
      'the same tunnel. The datastore has to be locked while the old name still is that of a node, and for chains and ' +
      'cycles of names. When it was interrupted, the same command goes on. Names that are swapped, and swapped once more ' +
      'under another lock, are swapped back.',
    ['ok', 'partial', 'notFound', 'conflict', 'refused', 'data'],
  );
  static override usage = '<%= command.id %> OLD NEW | --map FILE [FLAGS]';
  static override args = {
    // Standard input may hold the map, so no argument is read from there.
    old: Args.string({ name: 'OLD', ignoreStdin: true, description: 'Name that the node has.' }),
    new: Args.string({ name: 'NEW', ignoreStdin: true, description: 'Name that it is to get.' }),
  };
  static override flags = renameFlags;
  static override examples = [
    {
      description: 'See what a node that came back under its full name left under the short one:',
      command: '<%= config.bin %> datastore migrate rename-node alder alder.example.com --dry-run',
    },
    {
      description: 'Rename many nodes in one go:',
      command: '<%= config.bin %> datastore migrate rename-node --map names.yaml --yes',
    },
  ];

  override async run(): Promise<void> {
    const { flags, args } = await this.parse(DatastoreMigrateRenameNode);
    const pairs = flags.map === undefined ? undefined : await readNameMap(flags.map);
    const names = nameMapFrom({ ...args, pairs });
    const undo = await this.openUndo(flags);
    const history = continueUndo(undo, RENAME_COMMAND);
    const context = await this.open(flags);
    const mutation = await planRename(context, {
      names,
      isMismatchAllowed: flags['allow-version-mismatch'],
      history,
    });
    return this.carryOut(mutation, { flags, context, asks: true, undo });
  }
}
