import { Command } from 'commander';
import type { ComposeOptions } from '../actions/compose.ts';
import { JSON_OPTION } from '../json-output.ts';
import { DEFAULT_COMPOSITION_FILE } from '../default-composition-file.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold compose`: composes SDL files to one supergraph. */
export function composeCommand(terminal: Terminal): Command {
  return new Command('compose')
    .description('Compose the SDL of the subgraphs, from files or from running subgraphs, into one supergraph.')
    .option('-f, --file <file>', `composition file with the SDL files or the URL of each subgraph (default: ./${DEFAULT_COMPOSITION_FILE})`)
    .option('-o, --out <file>', 'output file (default: `output` of the composition file)')
    .option('--check', 'write nothing; fail if the existing supergraph is out of date')
    .option('--sign', 'sign requests for the SDL with the key of the section `identity`, for subgraphs that verify the identity')
    .option('-c, --config <file>', 'YAML file with the section `identity`, for `--sign` (default: gatefold.yaml, if it exists)')
    .option(...JSON_OPTION)
    .action(async (options: ComposeOptions) => {
      const { compose } = await import('../actions/compose.ts');
      await compose(options, terminal);
    });
}
