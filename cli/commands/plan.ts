import { Command, Option } from 'commander';
import type { PlanOptions } from '../actions/plan.ts';
import { JSON_OPTION } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';
import { readList } from './read-list.ts';

/** `gatefold plan`: prints the query plan of an operation. */
export function planCommand(terminal: Terminal): Command {
  return new Command('plan')
    .description('Print the query plan of an operation: its requests to subgraphs, their order, and its estimated cost.')
    .argument('[file]', 'GraphQL document with the operation; - reads standard input')
    .option('--query <text>', 'the document, in place of a file')
    .option(
      '--supergraph <file>',
      'supergraph SDL, or a composition file, which is composed first (default: supergraph.file of the configuration)',
    )
    .option('-c, --config <file>', 'YAML file with the limits and the settings of the subgraphs (default: gatefold.yaml, if it exists)')
    .option('--variables <json>', 'JSON object with the values of the variables; @<file> reads a file')
    .option('--operation-name <name>', 'operation to plan, if the document has several')
    .option('--label <names...>', 'active labels of @override (default: none)')
    .option('--anonymous', 'plan for a caller without credentials (default: a caller who may read every field)')
    .addOption(new Option('--roles <names>', 'plan for a caller with these comma-separated roles').argParser(readList))
    .addOption(new Option('--scopes <names>', 'plan for a caller with these comma-separated scopes').argParser(readList))
    .option('--no-defer', 'plan for a client that accepts no incremental response')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nThe command sends no request to subgraphs. See docs/guides/query-plans.md.')
    .action(async (file: string | undefined, options: PlanOptions) => {
      const { plan } = await import('../actions/plan.ts');
      await plan(file, options, terminal);
    });
}
