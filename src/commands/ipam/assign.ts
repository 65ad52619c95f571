import { assignFlags, newHandle } from '../../cli/assign-flags.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { WritingCommand } from '../../cli/writing-command.ts';
import { planAssign } from '../../operations/assign-address.ts';
import { assignOptionsFrom } from '../../operations/assign/assign-options.ts';

/** `ipam assign`. */
export default class IpamAssign extends WritingCommand {
  static override summary = 'Assign addresses, given ones or any';
  static override description = describeCommand(
    'Takes addresses as Calico itself does: from the blocks of the node, from new ones, or borrowed where that is allowed. ' +
      'A given address is assigned whatever reservations say. Whoever asks for it again under the same handle is told that it ' +
      'is so already; under another handle that is refused. What is assigned stays until it is released; with neither a pod or Service nor a type of its own ' +
      'among its attributes it counts as leaked, and the next clean-up takes it.',
    ['ok', 'partial', 'notFound', 'conflict', 'refused'],
  );
  static override usage =
    '<%= command.id %> --node NAME [--ip ADDRESS | --count N] [--handle ID] [--attr NAME=VALUE...] [FLAGS]';
  static override flags = assignFlags;
  static override examples = [
    {
      description: 'Keep an address for something that Calico does not know:',
      command:
        '<%= config.bin %> ipam assign --node worker-1 --ip 192.0.2.7 --handle printer --attr type=printer',
    },
    {
      description: 'See which addresses a node would get:',
      command: '<%= config.bin %> ipam assign --node worker-1 --count 3 --dry-run',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamAssign);
    const options = assignOptionsFrom(flags, newHandle);
    const context = await this.open(flags);
    const mutation = await planAssign(context, options);
    return this.carryOut(mutation, { flags, context, asks: false });
  }
}
