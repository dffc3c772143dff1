import { Command, Option } from 'commander';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import type { CheckOptions } from '../actions/check.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold check`: what a new schema changes for clients of an old one. */
export function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description('Compare a schema with an older one, and fail when it breaks clients.')
    .argument('[file]', 'the new schema (default: supergraph.file of the configuration)')
    .requiredOption('--against <file>', 'the old schema')
    .option('--supergraph <file>', 'the new schema, as an option')
    .option('--rest <directory>', 'REST documents that are to go on being served (default: rest.documents of the configuration)')
    .option('--no-rest', 'look at no REST documents')
    .option(
      '-c, --config <file>',
      'YAML file that names the new schema and the REST documents (default: gatefold.yaml, where there is one)',
    )
    .addOption(new Option('--fail-on <severity>', 'what ends with exit code 1').choices(['breaking', 'dangerous']).default('breaking'))
    .option('--json', 'print every change as JSON')
    .addHelpText('after', '\nBoth files may be supergraphs, schemas as clients see them, or composition files, which are composed.')
    .action(async (file: string | undefined, options: CheckOptions) => {
      requirePackages(['@graphql-inspector/core'], '`gatefold check`');
      const { check } = await import('../actions/check.ts');
      await check(file, options, terminal);
    });
}
