import { BaseCommand } from '../../cli/base-command.ts';
import { checkFlags, checkOptionsFrom } from '../../cli/check-flags.ts';
import { openOutputFile } from '../../cli/files.ts';
import { describeCommand } from '../../cli/help-text.ts';
import { warnOfFormatName } from '../../cli/output-name.ts';
import { assertRuleCodes, explainRule, ruleTexts } from '../../operations/explain-rule.ts';
import { runCheck } from '../../operations/run-check.ts';
import { checkView } from '../../render/views/check.ts';
import { explainView } from '../../render/views/explain.ts';

/** `ipam check`. */
export default class IpamCheck extends BaseCommand {
  static override summary = 'Look for leaks, conflicts and damage in Calico IPAM';
  static override description = describeCommand(
    'Compares what IPAM has allocated with what nodes, workloads and Services use, and judges every rule. ' +
      'A report (--output) lists what a release may take. Nothing is written to the datastore.',
    ['ok', 'findings', 'partial'],
  );
  static override usage = '<%= command.id %> [--explain CODE] [FLAGS]';
  static override aliases = ['check'];
  static override flags = checkFlags;
  static override examples = [
    {
      description: 'Check the cluster of the current context:',
      command: '<%= config.bin %> ipam check',
    },
    {
      description: 'Check a dump and write a report:',
      command: '<%= config.bin %> ipam check --snapshot dump/ --output report.json',
    },
    {
      description: 'Fail a pipeline on warnings too:',
      command: '<%= config.bin %> ipam check --fail-on warning --format json',
    },
    {
      description: 'Learn what a code means:',
      command: '<%= config.bin %> ipam check --explain leaked-address',
    },
  ];

  override async run(): Promise<void> {
    const { flags } = await this.parse(IpamCheck);
    if (flags.explain !== undefined)
      return this.emit(explainRule(flags.explain), explainView, flags);
    assertRuleCodes([...(flags.only ?? []), ...(flags.skip ?? [])]);
    const options = checkOptionsFrom(flags);
    const file =
      flags.output === undefined ? undefined : await openOutputFile(flags.output, 'output');
    const context = await this.open(flags);
    warnOfFormatName(flags.output, context.progress);
    const outcome = await runCheck(context, options);
    await file?.writeJson(outcome.report);
    const isComplete = flags['show-problem-ips'] || flags['show-all-ips'] || flags.verbose;
    return this.emit(
      outcome,
      checkView({ rules: ruleTexts(), isComplete, reportFile: flags.output }),
      flags,
    );
  }
}
