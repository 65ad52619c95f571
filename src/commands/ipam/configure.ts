import { configureFlags } from '../../cli/configure-flags.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { WritingCommand } from '../../cli/writing-command.ts';
import { planConfigure } from '../../operations/configure-ipam.ts';
import { settingChangesFrom } from '../../operations/configure/configure-options.ts';
import { continueUndo } from '../../operations/undo/continue-undo.ts';

/** `ipam configure`. */
export default class IpamConfigure extends WritingCommand {
  static override summary = 'Change the configuration of IPAM';
  static override description = describeCommand(
    'Changes the settings that are named and keeps the others. Says what the change means for this cluster, and writes ' +
      'nothing when nothing changes.',
    ['ok', 'conflict', 'refused'],
  );
  static override usage = '<%= command.id %> SETTING... | --reset [FLAGS]';
  static override flags = configureFlags;
  static override examples = [
    {
      description: 'Strict affinity, and at most four blocks of a node:',
      command: '<%= config.bin %> ipam configure --strictaffinity=true --max-blocks-per-host=4',
    },
    {
      description: 'Back to the built-in values:',
      command: '<%= config.bin %> ipam configure --reset --yes',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamConfigure);
    const changes = settingChangesFrom(flags);
    const undo = await this.openUndo(flags);
    const history = continueUndo(undo, 'ipam configure');
    const context = await this.open(flags);
    const mutation = await planConfigure(context, {
      changes,
      isMismatchAllowed: flags['allow-version-mismatch'],
      history,
    });
    return this.carryOut(mutation, { flags, context, asks: flags.reset, undo });
  }
}
