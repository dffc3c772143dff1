import { Command } from 'commander';
import type { ServeOptions } from '../configuration.ts';
import { withServeOptions } from '../serve-options.ts';
import type { Terminal } from '../terminal.ts';
import { readWorkers } from '../workers/count-workers.ts';

/** `gatefold serve`: serves a supergraph with the subgraphs that it names. */
export function serveCommand(terminal: Terminal): Command {
  return withServeOptions(new Command('serve'))
    .description('Serve a supergraph. Default profile: production.')
    .option('--workers <number>', 'number of worker processes that share the public listener, or auto (default: 1)', readWorkers)
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../actions/serve.ts');
      await serve(options, terminal);
    });
}
