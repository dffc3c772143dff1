import { Command } from 'commander';
import type { ServeOptions } from '../configuration.ts';
import { withServeOptions } from '../serve-options.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold dev`: the reference graph, or a team's own, with everything switched on that helps to develop. */
export function devCommand(terminal: Terminal): Command {
  return withServeOptions(new Command('dev'))
    .description('Start the reference graph with its subgraphs, or the supergraph that is configured. Profile: dev.')
    .action(async (options: ServeOptions) => {
      const { dev } = await import('../actions/dev.ts');
      await dev(options, terminal);
    });
}
