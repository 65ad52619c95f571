import { Args } from '@oclif/core';
import { readInputFile } from '../../cli/files.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { undoFlag, writeFlags } from '../../cli/write-flags.ts';
import { WritingCommand } from '../../cli/writing-command.ts';
import { planRestore } from '../../operations/restore-recorded.ts';
import { continueUndo } from '../../operations/undo/continue-undo.ts';
import { readUndo } from '../../operations/undo/read-undo.ts';

/** `ipam restore`. */
export default class IpamRestore extends WritingCommand {
  static override summary = 'Take back what an undo file records';
  static override description = describeCommand(
    'Goes from the last write to the first and judges each row by what it says now: an address goes back only if nobody ' +
      'has been given it since, a row only if it is as it was left. The rest is skipped and named.',
    ['ok', 'partial', 'conflict', 'refused', 'data'],
  );
  static override usage = '<%= command.id %> UNDO-FILE [FLAGS]';
  static override args = {
    file: Args.string({
      ignoreStdin: true,
      name: 'UNDO-FILE',
      required: true,
      description: 'Undo file of a command that has written.',
    }),
  };
  static override flags = { ...writeFlags, ...undoFlag };
  static override examples = [
    {
      description: 'See what would go back:',
      command: '<%= config.bin %> ipam restore undo.jsonl --dry-run',
    },
  ];

  override async run(): Promise<void> {
    const { flags, args } = await this.parse(IpamRestore);
    const recorded = readUndo(await readInputFile(args.file), args.file);
    const undo = await this.openUndo(flags);
    const history = continueUndo(undo, 'ipam restore');
    const context = await this.open(flags);
    const mutation = await planRestore(context, {
      recorded,
      name: args.file,
      isMismatchAllowed: flags['allow-version-mismatch'],
      history,
    });
    return this.carryOut(mutation, { flags, context, asks: true, undo });
  }
}
