import { exportFlags, exportOptionsFrom } from '../../../cli/export-flags.ts';
import { openExportOutput, STDOUT } from '../../../cli/export-output.ts';
import { ExportingCommand } from '../../../cli/exporting-command.ts';
import { describeCommand } from '../../../cli/help-text.ts';
import { warnOfFormatName } from '../../../cli/output-name.ts';
import { planExport } from '../../../operations/export-datastore.ts';
import { migrationExportView } from '../../../render/views/migration-export.ts';

/** `datastore migrate export`. */
export default class DatastoreMigrateExport extends ExportingCommand {
  static override summary = 'Export an etcd datastore into a migration file';
  static override description = describeCommand(
    'Writes all of Calico in etcd, as it is at one moment, into a file that datastore migrate import takes, with the ' +
      'names that the nodes have in Kubernetes. A live datastore must be locked. What cannot be carried is listed all at ' +
      'once, and then nothing is written. Of a host that is no node of Kubernetes, say --skip-node to leave it out.',
    ['ok', 'partial', 'notFound', 'refused'],
  );
  static override flags = exportFlags;
  static override examples = [
    {
      description: 'See what stands against an export:',
      command: '<%= config.bin %> datastore migrate export --output etcd.calico --dry-run',
    },
    {
      description: 'Export without a host that is no node of Kubernetes:',
      command: '<%= config.bin %> datastore migrate export --output etcd.calico --skip-node bare-1',
    },
    {
      description: 'Compress on the way:',
      command: '<%= config.bin %> datastore migrate export --output - | gzip > etcd.calico.gz',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(DatastoreMigrateExport);
    const output = await openExportOutput(flags.output);
    const context = await this.open(flags);
    warnOfFormatName(flags.output, context.progress);
    const migration = await planExport(context, exportOptionsFrom(flags));
    const view = migrationExportView({ isComplete: flags.verbose });
    if (flags['dry-run']) return this.emit(migration.plan, view, flags);
    const outcome = await migration.write(output);
    return flags.output === STDOUT
      ? this.emitBeside(outcome, view, flags)
      : this.emit(outcome, view, flags);
  }
}
