// Before the output is guarded, since it listens to errors of stdout in a way of its own.
import '@oclif/core/command';
import { normalizeArgv } from '@oclif/core/help';
import { helpAddition } from '@oclif/core/run';
import { guardOutput, write } from './emit.ts';
import { watchForLostWork } from './lost-work.ts';
import { programName } from './program-name.ts';
import { type Program, ProgramConfig } from './program.ts';
import { reportError } from './report-error.ts';
import { unknownCommand, unknownCommandId } from './unknown-command.ts';

/** Runs the command line from the words after the program's name; the exit status is left in `process.exitCode`. */
export async function main(argv: readonly string[], program: Program): Promise<void> {
  guardOutput();
  const endWatch = watchForLostWork();
  try {
    await run([...argv], await ProgramConfig.of(program, programName(process.argv[1])));
  } catch (error) {
    // Commands report their own errors; here arrive unknown commands and failures of oclif itself.
    const id = unknownCommandId(error);
    const known = program.manifest.commands;
    await reportError(id === undefined ? error : unknownCommand(id, known), argv);
  } finally {
    endWatch();
  }
}

async function run(argv: string[], config: ProgramConfig): Promise<void> {
  const [id = '', ...rest] = normalizeArgv(config, argv);
  if (argv[0] === '--version' || argv[0] === 'version') {
    await write(process.stdout, `${config.userAgent}\n`);
    return;
  }
  if (argv[0] === 'help') return showHelp(argv.slice(1), config);
  if (helpAddition(argv, config)) return showHelp(argv, config);
  const command = config.findCommand(id);
  if (command === undefined && config.findTopic(id) !== undefined) return showHelp([id], config);
  await config.runCommand(id, rest, command);
}

async function showHelp(argv: string[], config: ProgramConfig): Promise<void> {
  const { ProgramHelp } = await import('./program-help.ts');
  await new ProgramHelp(config, config.pjson.oclif.helpOptions).showHelp(argv);
}
