import { Command } from 'commander';
import type { ValidateOptions } from '../actions/validate.ts';
import { JSON_OPTION } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold validate`: checks the configuration against the supergraph and prints costs. */
export function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description(
      'Check configuration, REST documents and trusted documents against the supergraph, and print the maximum cost of each operation.',
    )
    .option('-c, --config <file>', 'YAML file (default: gatefold.yaml, if it exists)')
    .option('--profile <name>', 'dev or production')
    .option(
      '--supergraph <file>',
      'supergraph SDL to check against, or a composition file, which is composed first (default: supergraph.file of the configuration)',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nThe command only reads files. It serves nothing and sends no request to subgraphs.')
    .action(async (options: ValidateOptions) => {
      const { validate } = await import('../actions/validate.ts');
      await validate(options, terminal);
    });
}
