import { STDOUT } from '../../cli/export-output.ts';
import { ExportingCommand } from '../../cli/exporting-command.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { warnOfFormatName } from '../../cli/output-name.ts';
import { withSnapshotFile } from '../../cli/snapshot-file.ts';
import { snapshotFlags, snapshotOptionsFrom, withRedactValue } from '../../cli/snapshot-flags.ts';
import { snapshotDatastore } from '../../operations/snapshot-datastore.ts';
import { datastoreSnapshotView } from '../../render/views/datastore-snapshot.ts';

/** `datastore snapshot`. */
export default class DatastoreSnapshot extends ExportingCommand {
  static override summary = 'Write everything that IPAM rests on to one file';
  static override description = describeCommand(
    'The file opens with --snapshot and answers as the cluster did. Of pods, nodes, Services and machines it holds only ' +
      'what IPAM reads, and of their secrets nothing. --redact replaces names by pseudonyms, the same name by the same one ' +
      'everywhere, and with --redact=all addresses too, so that a check still finds what it found; free text is left out. ' +
      'The key of the pseudonyms is random and not kept. An address keeps its place within its pool.',
    ['ok', 'partial', 'refused'],
  );
  static override flags = snapshotFlags;
  static override examples = [
    {
      description: 'Take a cluster home and check it there:',
      command:
        '<%= config.bin %> datastore snapshot --output cluster.json.gz && <%= config.bin %> ipam check --snapshot cluster.json.gz',
    },
    {
      description: 'Make a file that may leave the house:',
      command: '<%= config.bin %> datastore snapshot --output cluster.json.gz --redact=all',
    },
    {
      description: 'Redact a dump:',
      command: '<%= config.bin %> datastore snapshot --snapshot dump/ --output - --redact',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(DatastoreSnapshot, withRedactValue(this.argv));
    return withSnapshotFile(flags.output, async (file) => {
      const context = await this.open(flags);
      warnOfFormatName(flags.output, context.progress);
      const outcome = await snapshotDatastore(context, file, snapshotOptionsFrom(flags));
      return flags.output === STDOUT && !flags['dry-run']
        ? this.emitBeside(outcome, datastoreSnapshotView, flags)
        : this.emit(outcome, datastoreSnapshotView, flags);
    });
  }
}
