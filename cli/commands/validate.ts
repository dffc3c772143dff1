import { Command } from 'commander';
import type { ValidateOptions } from '../actions/validate.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold validate`: whether what is configured fits the supergraph, and what it may cost. */
export function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description('Check configuration, REST documents and trusted documents against the supergraph, and tell what each operation may cost.')
    .option('-c, --config <file>', 'YAML file (default: gatefold.yaml, where there is one)')
    .option('--profile <name>', 'dev or production')
    .option('--supergraph <file>', 'supergraph SDL to check against (default: supergraph.file of the configuration)')
    .option('--json', 'print every operation and every fault as JSON')
    .addHelpText('after', '\nReads files only: nothing is served, and no subgraph is asked.')
    .action(async (options: ValidateOptions) => {
      const { validate } = await import('../actions/validate.ts');
      await validate(options, terminal);
    });
}
