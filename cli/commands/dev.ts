import { Command } from 'commander';
import { DEFAULT_COMPOSITION_FILE } from '../default-composition-file.ts';
import type { DevOptions } from '../dev/read-dev-settings.ts';
import { withServeOptions } from '../serve-options.ts';
import { addSubgraphArgument } from '../subgraph-argument.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold dev`: serves subgraphs, another supergraph or the reference graph with settings for development. */
export function devCommand(terminal: Terminal): Command {
  const command = new Command('dev')
    .description(
      'Compose and serve subgraphs, the configured supergraph, or the reference graph, and follow changes. Default profile: dev.',
    )
    .option(
      '-s, --subgraph <name=source>',
      'subgraph to compose: name=URL, name=FILE[,FILE], or name=FILE[,FILE]@URL; can be repeated',
      addSubgraphArgument,
    )
    .option('-f, --file <file>', `composition file (default: ./${DEFAULT_COMPOSITION_FILE} if no supergraph is configured)`)
    .option('--mock [names...]', 'mock these subgraphs, or without names all that do not respond')
    .option('--mocks <directory>', 'directory with files of values for mocks, such as films.yaml', 'mocks');
  return withServeOptions(command).action(async (options: DevOptions) => {
    const { dev } = await import('../actions/dev.ts');
    await dev(options, terminal);
  });
}
