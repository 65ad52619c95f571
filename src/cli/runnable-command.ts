import { Command, type Interfaces } from '@oclif/core';
import { Config } from '@oclif/core/config';

/** What all commands are; it starts without loading the configuration again, which oclif does for each command. */
export abstract class RunnableCommand extends Command {
  static override async run<T extends Command>(
    this: new (argv: string[], config: Config) => T,
    argv: string[] = process.argv.slice(2),
    options?: Interfaces.LoadOptions,
  ): Promise<ReturnType<T['run']>> {
    const config = options instanceof Config ? options : await Config.load(options);
    const command: Command = new this(argv, config);
    return RunnableCommand.prototype._run.call(command) as Promise<ReturnType<T['run']>>;
  }
}
