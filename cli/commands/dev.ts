import { Command } from 'commander';
import type { ServeOptions } from '../configuration.ts';
import { withServeOptions } from '../serve-options.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold dev`: serves the reference graph or another supergraph with settings for development. */
export function devCommand(terminal: Terminal): Command {
  return withServeOptions(new Command('dev'))
    .description('Start the reference graph with its subgraphs, or the configured supergraph. Default profile: dev.')
    .action(async (options: ServeOptions) => {
      const { dev } = await import('../actions/dev.ts');
      await dev(options, terminal);
    });
}
