import { Flags } from '@oclif/core';
import { describeCommand } from '../../../cli/help-text.ts';
import { unaskedWriteFlags } from '../../../cli/write-flags.ts';
import { WritingCommand } from '../../../cli/writing-command.ts';
import { planUnlock } from '../../../operations/unlock-datastore.ts';

/** `datastore migrate unlock`. */
export default class DatastoreMigrateUnlock extends WritingCommand {
  static override summary = 'Unlock the datastore';
  static override description = describeCommand(
    'Sets the ready flag and takes the note off who locked it. Writes nothing when it is not locked, and refuses while an ' +
      'import, a split or a rename is not finished, or while the other side of a migration, where both are configured, is ' +
      'not locked.',
    ['ok', 'notFound', 'conflict', 'refused'],
  );
  static override flags = {
    force: Flags.boolean({
      summary: 'Unlock even while something is not finished, or the other side is not locked.',
    }),
    ...unaskedWriteFlags,
  };
  static override examples = [
    {
      description: 'Unlock when the work is done:',
      command: '<%= config.bin %> datastore migrate unlock',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(DatastoreMigrateUnlock);
    const context = await this.open(flags);
    const mutation = await planUnlock(context, {
      isForced: flags.force,
      other: await this.openOther(),
      isMismatchAllowed: flags['allow-version-mismatch'],
    });
    return this.carryOut(mutation, { flags, context, asks: false });
  }
}
