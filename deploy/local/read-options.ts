import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { LauncherError } from './failure.ts';

/** Parses the command line. An unknown option gets a message with the available ones. */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  options: Options,
  config: Omit<ParseArgsConfig, 'options'> = {},
): { values: ReturnType<typeof parseArgs<{ options: Options }>>['values']; positionals: string[] } {
  try {
    return parseArgs({ ...config, options });
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s/);
    const available = Object.entries(options).map(([name, { type }]) =>
      type === 'boolean' ? `--${name}` : `--${name} …`,
    );
    throw new LauncherError(`${reason}. Available: ${available.join(', ')}`);
  }
}
