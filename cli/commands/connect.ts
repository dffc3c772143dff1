import { Command, InvalidArgumentError } from 'commander';
import type { ConnectInitOptions } from '../actions/connect-init.ts';
import type { ConnectTestOptions } from '../actions/connect-test.ts';
import { JSON_OPTION } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold connect`: subgraphs whose fields are requests to REST services. */
export function connectCommand(terminal: Terminal): Command {
  const command = new Command('connect').description('Connect REST services to the graph, without a subgraph server.');
  command
    .command('init')
    .description('Draft a subgraph with connectors from an OpenAPI document, as a starting point for your own.')
    .requiredOption('--openapi <location>', 'file or URL of an OpenAPI 3.0 or 3.1 document, in JSON or YAML')
    .option('--source <name>', 'name of the source (default: from the title of the document)', readSourceName)
    .option('--base-url <url>', 'URL of the service (default: the first server of the document)', readBaseUrl)
    .option('-o, --out <file>', 'output file, which must not exist (default: stdout)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nThe command fetches the document if it is a URL, and nothing else.')
    .action(async (options: ConnectInitOptions) => {
      const { connectInit } = await import('../actions/connect-init.ts');
      await connectInit(options, terminal);
    });
  command
    .command('test')
    .description('Run connectors against recorded responses, without a network.')
    .argument('[path]', 'file with tests of a connector, or a directory with such files (default: tests/connectors)')
    .option(...JSON_OPTION)
    .addHelpText('after', '\nThe format of the files: docs/reference/connector-tests.md.')
    .action(async (path: string | undefined, options: ConnectTestOptions) => {
      const { connectTest } = await import('../actions/connect-test.ts');
      await connectTest(path, options, terminal);
    });
  return command;
}

function readSourceName(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Use a letter, followed by up to 63 letters, digits, - and _.');
}

function readBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Use an absolute URL, such as https://api.example.com/v1.');
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('The URL contains credentials. Send them in a header of the source.');
  if (url.hash !== '' || /[{}]/.test(text)) throw new InvalidArgumentError('The URL contains a fragment or braces.');
  return url.href.replace(/\/$/, '');
}
