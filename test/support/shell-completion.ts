/** Asks real shells what they would complete. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { type CommandTree, commandTree } from '../../src/cli/completion/command-tree.ts';
import { completionScript, type Shell } from '../../src/cli/completion/scripts.ts';
import { ROOT } from './source-files.ts';

/** Codes that stand for those of the rules. */
export const CODES = {
  rules: ['leaked-address', 'orphan-handle', 'stuck-affinity'],
  repairable: ['orphan-handle', 'stuck-affinity'],
} as const;

/** The commands of the manifest. */
export async function manifestTree(): Promise<CommandTree> {
  return commandTree(await Config.load(ROOT), CODES);
}

/** Whether a shell can be started. */
export function hasShell(shell: Shell): boolean {
  return spawnSync(shell, ['-c', 'exit 0']).status === 0;
}

/** A shell that has read the completion of a tree, in a folder with files. */
export class CompletingShell {
  readonly folder = mkdtempSync(join(tmpdir(), 'ipamctl-test-shell-'));
  readonly #shell: Shell;

  constructor(shell: Shell, tree: CommandTree) {
    this.#shell = shell;
    this.#write('script', completionScript(shell, tree));
    for (const name of ['report one.json', 'report-2.json']) this.#write(name, '');
  }

  /** What would be offered for the last word of a line, without what stands there already before `=` or a comma. */
  complete(line: string): readonly string[] {
    return this.offers(line)
      .map((found) => found.replace(/^--[^=]*=|^.*,/g, ''))
      .sort();
  }

  /** What would be put in place of the last word of a line. */
  offers(line: string): readonly string[] {
    const [program, args] = { bash: askBash, zsh: askZsh, fish: askFish }[this.#shell](line);
    const { stdout, stderr, status } = this.run(program, args);
    if (status !== 0 || stderr !== '')
      throw new Error(`${program} ended with ${status}: ${stderr}`);
    return stdout
      .split('\n')
      .filter((found) => found !== '')
      .map((found) => found.split('\t')[0] ?? '');
  }

  run(
    program: string,
    args: readonly string[],
  ): { status: number | null; stdout: string; stderr: string } {
    return spawnSync(program, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: this.folder, XDG_CONFIG_HOME: this.folder },
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}

type Question = readonly [program: string, args: readonly string[]];

/** Calls the function as readline does, which cuts words at `=` too. */
function askBash(line: string): Question {
  const words = line
    .split(' ')
    .flatMap((word) => word.split(/(=)/).filter((part, i) => part !== '' || i === 0));
  const ask = [
    'source ./script',
    'COMP_WORDS=("$@")',
    'COMP_CWORD=$(($# - 1))',
    '_ipamctl',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  return ['bash', ['--norc', '-uc', ask.join('\n'), 'bash', ...words]];
}

function askFish(line: string): Question {
  return ['fish', ['--no-config', '-c', 'source ./script; complete -C $argv[1]', line]];
}

/** Types the line and a tab into a zsh on a terminal of its own, in which every match that is added is written down. */
const ZSH = String.raw`
zmodload zsh/zpty || exit 1
# A terminal that nobody reads stops who writes to it.
await() {
  local junk
  for _ in {1..1200}; do
    while zpty -r -t typed junk; do :; done
    [[ -e $1 ]] && return
    sleep 0.05
  done
}
zpty typed zsh -f -i
zpty -w typed 'PS1=; autoload -U compinit; compinit -u; zstyle ":completion:*" menu no; source ./script'
zpty -w typed 'compadd() {
  if [[ " $* " == *" -"[OAD]" "* ]]; then builtin compadd "$@"; return; fi
  local -a found; builtin compadd -O found "$@"; (($#found)) && print -l -- $found >> .found
  builtin compadd "$@"
}'
zpty -w typed ': > .found; print ready > .ready'
await .ready
zpty -w -n typed "$1"$'\t'
zpty -w -n typed $'\x15print done > .done\n'
await .done
zpty -d typed
cat .found; rm -f .ready .done .found
`;

function askZsh(line: string): Question {
  return ['zsh', ['-f', '-c', ZSH, 'zsh', line]];
}
