import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CommandTree } from '../../../../src/cli/completion/command-tree.ts';
import { completionScript, SHELLS } from '../../../../src/cli/completion/scripts.ts';
import { manifestTree } from '../../../support/shell-completion.ts';
import { ROOT } from '../../../support/source-files.ts';

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      {
        readonly aliases: readonly string[];
        readonly flags: Readonly<
          Record<string, { readonly char?: string; readonly options?: readonly string[] }>
        >;
      }
    >
  >;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as Manifest;

/** One command with everything that needs quoting. */
const ODD: CommandTree = {
  topics: [{ words: [], children: [{ word: 'odd', summary: "It's [odd]: \\." }] }],
  commands: [
    {
      words: ['odd'],
      summary: "It's [odd]: \\.",
      flags: [
        {
          name: 'way',
          char: 'w',
          summary: "Somebody's [way]: \\.",
          placeholder: 'A:B',
          value: { kind: 'choice', choices: ['there', 'back'], isList: false },
          isRepeatable: false,
        },
        {
          name: 'report',
          summary: 'A file.',
          placeholder: 'FILE',
          value: { kind: 'file' },
          isRepeatable: true,
        },
      ],
      args: [],
    },
  ],
};

describe('cli/completion/scripts', () => {
  for (const shell of SHELLS) {
    it(`names every command and flag of the manifest for ${shell}`, async () => {
      const script = completionScript(shell, await manifestTree());
      const words = new Set(script.split(/[\s"'=|:[\]()+{},*]+/));
      for (const [id, { aliases, flags }] of Object.entries(manifest.commands)) {
        for (const word of [...id.split(':'), ...aliases.flatMap((alias) => alias.split(':'))])
          expect(words, `${id} in ${shell}`).to.include(word);
        for (const [name, { char, options = [] }] of Object.entries(flags)) {
          expect(words, `--${name} of ${id} in ${shell}`).to.satisfy(
            () => words.has(`--${name}`) || (words.has('-l') && words.has(name)),
          );
          if (char !== undefined) expect(script).to.match(new RegExp(`-${char}\\b|-s ${char} `));
          for (const option of options) expect(words, `${name} ${option}`).to.include(option);
        }
      }
    });
  }

  it('writes zsh specifications with their special characters escaped', () => {
    const script = completionScript('zsh', ODD);
    expect(script).to.include(
      String.raw`'(-w --way)'{-w+,--way=}'[Somebody'\''s \[way\]\: \\]:A\:B:(there back)'`,
    );
    expect(script).to.include(`'*--report=[A file]:FILE:_files'`);
  });

  it('writes lines of fish with their special characters escaped', () => {
    const lines = completionScript('fish', ODD).split('\n');
    expect(lines).to.include(
      String.raw`complete -c ipamctl -n '__ipamctl_at "odd"' -s w -l way -r -f -a 'there back' -d 'Somebody\'s [way]: \\'`,
    );
    expect(lines).to.include(
      `complete -c ipamctl -n '__ipamctl_at "odd"' -l report -r -F -d 'A file'`,
    );
  });

  it('writes tables of bash', () => {
    const script = completionScript('bash', ODD);
    expect(script).to.include(`    '') REPLY='odd' ;;`);
    expect(script).to.include(`    'odd') REPLY='--way -w --report --help' ;;`);
    expect(script).to.include(`    *' --way') REPLY='choice:there back' ;;`);
    expect(script).to.include(`    *' --report') REPLY='file:' ;;`);
  });
});
