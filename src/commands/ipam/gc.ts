import { CollectingCommand } from '../../cli/collecting-command.ts';
import { assertRounds, gcFlags } from '../../cli/gc-flags.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { openMetrics } from '../../cli/metrics-server.ts';
import { openStateFile } from '../../cli/state-file.ts';
import { GarbageCollector } from '../../operations/collect-garbage.ts';
import { collectorOptionsFrom } from '../../operations/gc/collector-options.ts';

/** `ipam gc`. */
export default class IpamGc extends CollectingCommand {
  static override summary = 'Collect what gone pods, machines and nodes have left';
  static override description = describeCommand(
    "Does what Calico's own collector does, for clusters that run none: releases addresses that were seen leaked for the " +
      'whole grace period and still are at a last look, returns cooled addresses, and gives up empty blocks and the claims ' +
      'of absent nodes, and finishes releases of blocks that were cut short. A handle goes whole or not at all, and a node keeps its last block. On a locked datastore nothing ' +
      'is done. With --interval it runs until it is ended.',
    ['ok', 'partial', 'conflict', 'refused'],
  );
  static override usage = '<%= command.id %> --once | --interval DURATION [FLAGS]';
  static override flags = gcFlags;
  static override examples = [
    {
      description: 'From cron, every five minutes:',
      command:
        '<%= config.bin %> ipam gc --once --state-file /var/lib/ipamctl/gc.json --metrics-file /var/lib/node_exporter/ipam.prom',
    },
    {
      description: 'As a service:',
      command: '<%= config.bin %> ipam gc --interval 5m --metrics-listen 127.0.0.1:9100',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamGc);
    assertRounds(flags);
    const state = await openStateFile(flags['state-file']);
    const undo = flags['undo-file'] === undefined ? undefined : await this.openUndo(flags);
    const options = collectorOptionsFrom(flags, { state, undo });
    const context = await this.open(flags);
    const places = { file: flags['metrics-file'], listen: flags['metrics-listen'] };
    const metrics = await openMetrics(places);
    const collector = new GarbageCollector(context, options);
    return this.collect(collector, { flags, context, state, metrics, undo });
  }
}
