import { Command } from 'commander';
import type { RestInitOptions } from '../actions/rest-init.ts';
import { JSON_OPTION } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold rest`: works on the documents of the REST facade. */
export function restCommand(terminal: Terminal): Command {
  const command = new Command('rest').description('Manage the documents of the REST facade.');
  command
    .command('init')
    .description('Write draft REST documents for a graph, as a starting point for your own.')
    .option('--supergraph <file>', 'a supergraph, a public schema, or a composition file (default: supergraph.file of the configuration)')
    .option('-o, --out <directory>', 'output directory (default: rest.documents of the configuration, else schema/rest)')
    .option(...JSON_OPTION)
    .action(async (options: RestInitOptions) => {
      const { restInit } = await import('../actions/rest-init.ts');
      await restInit(options, terminal);
    });
  return command;
}
