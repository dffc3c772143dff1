import { Command } from 'commander';
import type { ComposeOptions } from '../actions/compose.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold compose`: SDL files to one supergraph. */
export function composeCommand(terminal: Terminal): Command {
  return new Command('compose')
    .description('Compose the SDL of the subgraphs, from files or from running subgraphs, into one supergraph.')
    .option('-f, --file <file>', 'which SDL files, or which address, make up which subgraph', 'schema/composition.yaml')
    .option('-o, --out <file>', 'where the supergraph goes (default: `output` of the composition file)')
    .option('--check', 'write nothing; fail when the written supergraph is not what composing gives')
    .action(async (options: ComposeOptions) => {
      const { compose } = await import('../actions/compose.ts');
      await compose(options, terminal);
    });
}
