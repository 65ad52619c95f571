import { bashScript } from './bash.ts';
import type { CommandTree } from './command-tree.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

/** Shells whose completion can be printed. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

const SCRIPTS: Readonly<Record<Shell, (tree: CommandTree) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script that a shell reads to complete the commands of the tree; it asks nobody, least of all a cluster. */
export function completionScript(shell: Shell, tree: CommandTree): string {
  return SCRIPTS[shell](tree);
}
