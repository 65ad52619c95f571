import { CommandHelp, Help } from '@oclif/core/help';

/** Groups of flags that many commands have; what a command has of its own stands before them. */
const SHARED_GROUPS = ['WRITING', 'CONNECTION', 'GENERAL'];

/** The help of a command with its own flags first, and with its other names only. */
class ProgramCommandHelp extends CommandHelp {
  protected override groupFlags(
    flags: Parameters<CommandHelp['groupFlags']>[0],
  ): ReturnType<CommandHelp['groupFlags']> {
    const { flagGroups, mainFlags } = super.groupFlags(flags);
    const sorted = Object.entries(flagGroups).sort(([one], [other]) => rank(one) - rank(other));
    return { mainFlags, flagGroups: Object.fromEntries(sorted) };
  }

  /** Whoever asks for the help under the short name learns the long one. */
  protected override aliases(aliases: string[] | undefined): string | undefined {
    const known = this.config.commands.filter((command) =>
      command.aliases.some((alias) => aliases?.includes(spaced(alias)) === true),
    );
    const names = new Set([...known.map(({ id }) => spaced(id)), ...(aliases ?? [])]);
    names.delete(spaced(this.command.id));
    return super.aliases([...names]);
  }
}

/** What `--help` prints; made only then, since oclif's own takes a while to load. */
export class ProgramHelp extends Help {
  override CommandHelpClass = ProgramCommandHelp;
}

/** The commonest groups come last. */
function rank(group: string): number {
  return SHARED_GROUPS.indexOf(group);
}

function spaced(id: string): string {
  return id.replaceAll(':', ' ');
}
