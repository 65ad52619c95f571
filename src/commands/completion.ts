import { Args } from '@oclif/core';
import { commandTree } from '../cli/completion/command-tree.ts';
import { completionScript, type Shell, SHELLS } from '../cli/completion/scripts.ts';
import { describeCommand } from '../cli/help-text.ts';
import { PlainCommand } from '../cli/plain-command.ts';
import { ruleTexts } from '../operations/explain-rule.ts';
import { repairableCodes } from '../operations/repairs/repair-options.ts';

/** `completion`. */
export default class Completion extends PlainCommand {
  static override summary = 'Print the script that completes ipamctl in a shell';
  static override description = describeCommand(
    'The script completes commands, flags, their fixed values, codes of findings and names of files. It asks no cluster. ' +
      'It serves kubectl-ipamctl too; for kubectl ipamctl, put the script for bash as kubectl_complete-ipamctl, executable, ' +
      'into a folder of PATH, whichever shell you use.',
    ['ok'],
    ['usage', 'internal'],
  );
  static override usage = '<%= command.id %> bash|zsh|fish';
  static override args = {
    shell: Args.custom<Shell>({
      ignoreStdin: true,
      name: 'SHELL',
      options: [...SHELLS],
      description: 'The shell that is to read it.',
    })({ required: true }),
  };
  static override examples = [
    {
      description: 'In ~/.bashrc:',
      command: 'source <(<%= config.bin %> completion bash)',
    },
    {
      description: 'In ~/.zshrc, after compinit:',
      command: 'source <(<%= config.bin %> completion zsh)',
    },
    {
      description: 'For fish, once and after each update:',
      command: '<%= config.bin %> completion fish > ~/.config/fish/completions/ipamctl.fish',
    },
  ];

  override async run(): Promise<void> {
    const { args } = await this.parse(Completion);
    const codes = { rules: Object.keys(ruleTexts()), repairable: repairableCodes() };
    return this.print(completionScript(args.shell, commandTree(this.config, codes)));
  }
}
