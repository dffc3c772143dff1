import { Command } from 'commander';
import type { ServeOptions } from '../configuration.ts';
import { withServeOptions } from '../serve-options.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold serve`: the gateway in front of whatever subgraphs the supergraph names. */
export function serveCommand(terminal: Terminal): Command {
  return withServeOptions(new Command('serve'))
    .description('Serve a supergraph. Profile: production, unless told otherwise.')
    .action(async (options: ServeOptions) => {
      const { serve } = await import('../actions/serve.ts');
      await serve(options, terminal);
    });
}
