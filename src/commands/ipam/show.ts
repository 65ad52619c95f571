import { BaseCommand } from '../../cli/base-command.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { showFlags, utilizationOptionsFrom } from '../../cli/show-flags.ts';
import { showAddress } from '../../operations/show-address.ts';
import { showBorrowed } from '../../operations/show-borrowed.ts';
import { showConfiguration } from '../../operations/show-configuration.ts';
import { showUtilization } from '../../operations/show-utilization.ts';
import { addressView } from '../../render/views/address.ts';
import { borrowedView } from '../../render/views/borrowed.ts';
import { configurationView } from '../../render/views/configuration.ts';
import { utilizationView } from '../../render/views/utilization.ts';

/** `ipam show`. */
export default class IpamShow extends BaseCommand {
  static override summary = 'Show how Calico IPAM uses its addresses';
  static override description = describeCommand(
    'Counts addresses per pool, block, node or namespace, or answers one question: who holds an address, ' +
      'which addresses are borrowed, how IPAM is configured. Counts are exact at any size.',
    ['ok', 'notFound'],
  );
  static override usage =
    '<%= command.id %> [--ip ADDRESS | --show-borrowed | --show-configuration] [FLAGS]';
  static override aliases = ['show'];
  static override flags = showFlags;
  static override examples = [
    { description: 'Use of every pool:', command: '<%= config.bin %> ipam show' },
    {
      description: 'Pools and blocks of a dump:',
      command: '<%= config.bin %> ipam show --snapshot dump.yaml --show-blocks',
    },
    { description: 'Who holds an address:', command: '<%= config.bin %> ipam show --ip 192.0.2.7' },
    {
      description:
        'Free addresses for a script (with jq 1.7 or newer; an older one rounds large numbers):',
      command: "<%= config.bin %> ipam show --format json | jq '.pools[].free'",
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamShow);
    const context = await this.open(flags);
    if (flags.ip !== undefined) {
      return this.emit(await showAddress(context, { address: flags.ip }), addressView, flags);
    }
    if (flags['show-borrowed']) return this.emit(await showBorrowed(context), borrowedView, flags);
    if (flags['show-configuration'])
      return this.emit(await showConfiguration(context), configurationView, flags);
    return this.emit(
      await showUtilization(context, utilizationOptionsFrom(flags)),
      utilizationView,
      flags,
    );
  }
}
