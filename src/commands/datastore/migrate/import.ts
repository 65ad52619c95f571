import { describeCommand } from '../../../cli/help-text.ts';
import { newClusterGuid, userAndHost } from '../../../cli/identity.ts';
import {
  importFlags,
  journalName,
  openImportDefinitions,
  openImportFile,
} from '../../../cli/import-flags.ts';
import { WritingCommand } from '../../../cli/writing-command.ts';
import { IMPORT_COMMAND } from '../../../operations/import/import-options.ts';
import { planImport } from '../../../operations/import-datastore.ts';
import { continueUndo } from '../../../operations/undo/continue-undo.ts';

/** `datastore migrate import`. */
export default class DatastoreMigrateImport extends WritingCommand {
  static override summary = 'Import a migration file into a Kubernetes datastore';
  static override description = describeCommand(
    'Verifies the file as a whole and compares it with the cluster before anything is written: what is there and equal ' +
      'stays, what differs is listed and nothing is written. Then locks the cluster, makes what is missing and compares ' +
      'again. The cluster stays locked. When it was interrupted, the same command goes on. The journal is an undo file, ' +
      'too: ipam restore takes the import back.',
    ['ok', 'partial', 'conflict', 'refused'],
  );
  static override flags = importFlags;
  static override examples = [
    {
      description: 'See what an import would do:',
      command: '<%= config.bin %> datastore migrate import -f etcd.calico --dry-run',
    },
    {
      description: 'Import, or go on with it, in a script:',
      command: '<%= config.bin %> datastore migrate import -f etcd.calico --resume',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(DatastoreMigrateImport);
    const source = await openImportFile(flags);
    const { definitions, groupIfAbsent } = await openImportDefinitions(flags);
    const context = await this.open({ ...flags, groupIfAbsent });
    const undo = await this.openJournal(
      flags,
      journalName(source.digest, context.datastore.describe()),
    );
    const mutation = await planImport(context, {
      source,
      isResume: flags.resume,
      concurrency: flags.concurrency,
      definitions,
      by: userAndHost(),
      newGuid: newClusterGuid(),
      isMismatchAllowed: flags['allow-version-mismatch'],
      history: continueUndo(undo, IMPORT_COMMAND),
    });
    return this.carryOut(mutation, { flags, context, asks: false, undo });
  }
}
