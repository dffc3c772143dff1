import { Command, Option } from 'commander';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import type { CheckOptions } from '../actions/check.ts';
import { JSON_OPTION } from '../json-output.ts';
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
      '--manifest <file>',
      'manifest of persisted documents that must stay valid, as <file> or <client>=<file>; repeatable (default: persisted.manifests of the configuration)',
      (value: string, previous: readonly string[] | false | undefined) => [...(previous || []), value],
    )
    .option('--no-manifest', 'do not check persisted documents')
    .option('--webhooks <directory>', 'webhook documents that must stay valid (default: rest.webhooks of the configuration)')
    .option('--no-webhooks', 'do not check webhook documents')
    .option('--descriptions', 'list changes of descriptions, which clients do not depend on, too')
    .option('-c, --config <file>', 'YAML file with the paths of the new schema and of the documents (default: gatefold.yaml, if it exists)')
    .addOption(
      new Option('--fail-on <severity>', 'lowest severity that fails with exit code 1')
        .choices(['breaking', 'dangerous'])
        .default('breaking'),
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nEach file can be a supergraph, a public schema, or a composition file, which is composed first.')
    .action(async (file: string | undefined, options: CheckOptions) => {
      requirePackages(['@graphql-inspector/core'], '`gatefold check`');
      const { check } = await import('../actions/check.ts');
      await check(file, options, terminal);
    });
}
