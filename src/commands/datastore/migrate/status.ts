import { BaseCommand } from '../../../cli/base-command.ts';
import { formatFlag } from '../../../cli/flags.ts';
import { describeCommand } from '../../../cli/help-text.ts';
import { showMigrationStatus } from '../../../operations/show-migration-status.ts';
import { migrationStatusView } from '../../../render/views/migration-status.ts';

/** `datastore migrate status`. */
export default class DatastoreMigrateStatus extends BaseCommand {
  static override summary = 'Show the lock, and what is not finished';
  static override description = describeCommand(
    'Tells whether the datastore is locked, by whom and why, and which splits, imports and renames were begun; of both ' +
      'sides of a migration, when etcd and a cluster are configured. Its status does not depend on what it finds, but on ' +
      'whether it could look: 3 when one of two sides cannot be read, which is shown with the reason beside the other.',
    ['ok', 'partial'],
  );
  static override flags = { format: formatFlag() };
  static override examples = [
    {
      description: 'What waits in this cluster:',
      command: '<%= config.bin %> datastore migrate status',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(DatastoreMigrateStatus);
    const { sides, signal } = await this.openSides(flags);
    return this.emit(await showMigrationStatus(sides, signal), migrationStatusView, flags);
  }
}
