import { readInputFile } from '../../cli/files.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { releaseFlags } from '../../cli/release-flags.ts';
import { WritingCommand } from '../../cli/writing-command.ts';
import { readReports } from '../../operations/read-reports.ts';
import { planRelease } from '../../operations/release-addresses.ts';
import { isAsked, selectorFrom } from '../../operations/release/release-options.ts';
import { continueUndo } from '../../operations/undo/continue-undo.ts';

/** `ipam release`. */
export default class IpamRelease extends WritingCommand {
  static override summary = 'Release leaked addresses and leftover handles';
  static override description = describeCommand(
    'Looks again before it writes and leaves alone whatever is or may be in use. A handle goes whole or not at all, ' +
      'unless --force takes just what was named. What was written is recorded in an undo file, which ipam restore takes back.',
    ['ok', 'partial', 'notFound', 'conflict', 'refused'],
  );
  static override usage =
    '<%= command.id %> --ip ADDRESS | --from-report FILE... | --handle ID | --node NAME | --pod NAMESPACE/NAME | --leaked [FLAGS]';
  static override aliases = ['release'];
  static override flags = releaseFlags;
  static override examples = [
    {
      description: 'See what a report would release:',
      command: '<%= config.bin %> ipam release --from-report report.json --dry-run',
    },
    {
      description: 'Release what is leaked now:',
      command: '<%= config.bin %> ipam release --leaked --yes',
    },
    {
      description: 'Release one address:',
      command: '<%= config.bin %> ipam release --ip 192.0.2.7',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamRelease);
    const reports = await readReports(flags['from-report'], readInputFile);
    const selector = selectorFrom(flags, reports);
    const undo = await this.openUndo(flags);
    const history = continueUndo(undo, 'ipam release');
    const context = await this.open(flags);
    const mutation = await planRelease(context, {
      selector,
      minAgeMs: flags['min-age'],
      isForced: flags.force,
      isMismatchAllowed: flags['allow-version-mismatch'],
      history,
    });
    return this.carryOut(mutation, { flags, context, asks: isAsked(selector), undo });
  }
}
