import { Command } from 'commander';
import type { RestInitOptions } from '../actions/rest-init.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold rest`: the documents of the REST facade. */
export function restCommand(terminal: Terminal): Command {
  const command = new Command('rest').description('Work on the documents of the REST facade.');
  command
    .command('init')
    .description('Write first REST documents for a graph that has none; they are yours to change.')
    .option(
      '--supergraph <file>',
      'the graph: a supergraph, a schema as clients see it, or a composition file',
      'schema/supergraph.graphql',
    )
    .option('-o, --out <directory>', 'where the documents go', 'schema/rest')
    .action(async (options: RestInitOptions) => {
      const { restInit } = await import('../actions/rest-init.ts');
      await restInit(options, terminal);
    });
  return command;
}
