import { readInputFile } from '../../cli/files.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { repairFlags } from '../../cli/repair-flags.ts';
import { WritingCommand } from '../../cli/writing-command.ts';
import { readReports } from '../../operations/read-reports.ts';
import { planRepair } from '../../operations/repair-findings.ts';
import { assertFindings, assertRepairable } from '../../operations/repairs/repair-options.ts';
import { continueUndo } from '../../operations/undo/continue-undo.ts';

/** `ipam repair`. */
export default class IpamRepair extends WritingCommand {
  static override summary = 'Repair handles, affinities and empty blocks';
  static override description = describeCommand(
    'Remedies what ipam check finds where that is safe: no address is released, and no block that holds one leaves its ' +
      'owner. Each finding is judged again right before it is written; other findings are listed with the command that helps.',
    ['ok', 'partial', 'conflict', 'refused'],
  );
  static override usage = '<%= command.id %> [--only CODE...] [--from-report FILE...] [FLAGS]';
  static override flags = repairFlags;
  static override examples = [
    {
      description: 'See what would be repaired:',
      command: '<%= config.bin %> ipam repair --dry-run',
    },
    {
      description: 'Set handle counts right:',
      command: '<%= config.bin %> ipam repair --only handle-count-mismatch --yes',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamRepair);
    const only = flags.only ?? [];
    assertRepairable(only);
    const reports = await readReports(flags['from-report'], readInputFile);
    assertFindings(reports);
    const undo = await this.openUndo(flags);
    const history = continueUndo(undo, 'ipam repair');
    const context = await this.open(flags);
    const mutation = await planRepair(context, {
      only,
      reports,
      minAgeMs: flags['min-age'],
      isMismatchAllowed: flags['allow-version-mismatch'],
      history,
    });
    return this.carryOut(mutation, { flags, context, asks: true, undo });
  }
}
