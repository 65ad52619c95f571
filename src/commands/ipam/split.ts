import { Args } from '@oclif/core';
import { describeCommand } from '../../cli/help-text.ts';
import { splitFlags } from '../../cli/split-flags.ts';
import { WritingCommand } from '../../cli/writing-command.ts';
import { planSplit } from '../../operations/split-pool.ts';
import { splitRequestFrom } from '../../operations/split/split-options.ts';
import { continueUndo } from '../../operations/undo/continue-undo.ts';

/** `ipam split`. */
export default class IpamSplit extends WritingCommand {
  static override summary = 'Cut a pool into pools of one size';
  static override description = describeCommand(
    'Checks everything first, then disables the pool, makes its parts and deletes it; blocks, affinities and handles stay ' +
      'as they are. The datastore has to be locked. When it was interrupted, the same command goes on; with --undo it goes back.',
    ['ok', 'partial', 'notFound', 'conflict', 'refused'],
  );
  static override usage = '<%= command.id %> NUMBER --name NAME | --cidr CIDR [FLAGS]';
  static override args = {
    number: Args.string({
      ignoreStdin: true,
      name: 'NUMBER',
      required: true,
      description: 'How many parts: a power of two from 2 to 1024.',
    }),
  };
  static override flags = splitFlags;
  static override examples = [
    {
      description: 'See what a split into four would do:',
      command: '<%= config.bin %> ipam split 4 --name default-pool --dry-run',
    },
    {
      description: 'Make the pool whole again:',
      command: '<%= config.bin %> ipam split 4 --name default-pool --undo --yes',
    },
  ];

  override async run(): Promise<void> {
    const { flags, args } = await this.parse(IpamSplit);
    const request = splitRequestFrom(args.number, flags);
    const undo = await this.openUndo(flags);
    const history = continueUndo(undo, 'ipam split');
    const context = await this.open(flags);
    const mutation = await planSplit(context, {
      ...request,
      isUndo: flags.undo,
      isForced: flags.force,
      isMismatchAllowed: flags['allow-version-mismatch'],
      history,
    });
    return this.carryOut(mutation, { flags, context, asks: flags.undo, undo });
  }
}
