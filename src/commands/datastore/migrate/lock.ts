import { Flags } from '@oclif/core';
import { describeCommand } from '../../../cli/help-text.ts';
import { newClusterGuid, userAndHost } from '../../../cli/identity.ts';
import { unaskedWriteFlags } from '../../../cli/write-flags.ts';
import { WritingCommand } from '../../../cli/writing-command.ts';
import { planLock } from '../../../operations/lock-datastore.ts';

/** `datastore migrate lock`. */
export default class DatastoreMigrateLock extends WritingCommand {
  static override summary = 'Lock the datastore, so that Calico assigns and releases nothing';
  static override description = describeCommand(
    'Clears the ready flag and notes who did it, when and why. Writes nothing when it is locked already.',
    ['ok', 'conflict', 'refused'],
  );
  static override flags = {
    reason: Flags.string({ helpValue: 'TEXT', summary: 'Why, for whoever finds it locked.' }),
    ...unaskedWriteFlags,
  };
  static override examples = [
    {
      description: 'Lock before a pool is split:',
      command: '<%= config.bin %> datastore migrate lock --reason "split of pool main"',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(DatastoreMigrateLock);
    const context = await this.open(flags);
    const mutation = await planLock(context, {
      by: userAndHost(),
      reason: flags.reason,
      newGuid: newClusterGuid(),
      isMismatchAllowed: flags['allow-version-mismatch'],
    });
    return this.carryOut(mutation, { flags, context, asks: false });
  }
}
