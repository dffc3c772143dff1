import { Command, Option } from 'commander';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import type { CheckOptions } from '../actions/check.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold check`: compares two schemas. */
export function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description('Compare a schema with an older version, and fail if a change breaks clients.')
    .argument('[file]', 'the new schema (default: supergraph.file of the configuration)')
    .requiredOption('--against <file>', 'the old schema')
    .option('--supergraph <file>', 'the new schema, as an option')
    .option('--rest <directory>', 'REST documents that must stay valid (default: rest.documents of the configuration)')
    .option('--no-rest', 'do not check REST documents')
    .option(
      '-c, --config <file>',
      'YAML file with the paths of the new schema and the REST documents (default: gatefold.yaml, if it exists)',
    )
    .addOption(
      new Option('--fail-on <severity>', 'lowest severity that fails with exit code 1')
        .choices(['breaking', 'dangerous'])
        .default('breaking'),
    )
    .option('--json', 'print every change as JSON')
    .addHelpText('after', '\nEach file can be a supergraph, a public schema, or a composition file, which is composed first.')
    .action(async (file: string | undefined, options: CheckOptions) => {
      requirePackages(['@graphql-inspector/core'], '`gatefold check`');
      const { check } = await import('../actions/check.ts');
      await check(file, options, terminal);
    });
}
