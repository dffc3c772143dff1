import { Command, InvalidArgumentError, Option } from 'commander';
import type { InitOptions } from '../actions/init.ts';
import { JSON_OPTION } from '../json-output.ts';
import { addSubgraphArgument } from '../subgraph-argument.ts';
import type { Terminal } from '../terminal.ts';

/** `gatefold init`: writes the files of a new project. */
export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .description('Write the files of a new project: configuration, composition, REST documents, container image and README.')
    .argument('[directory]', 'directory of the project, which is created if it does not exist', '.')
    .option('--name <name>', 'name of the project (default: name of the directory)')
    .option(
      '--subgraph <name=source>',
      'subgraph as name=URL, name=FILE or name=FILE@URL; repeatable (default: an example subgraph)',
      addSubgraphArgument,
    )
    .addOption(
      new Option('--profile <name>', 'profile of all commands (default: dev for `dev`, production for `serve`)').choices([
        'dev',
        'production',
      ]),
    )
    .option('--jwt-issuer <url>', 'issuer of the tokens of your callers (default: none)', readHttpUrl)
    .option('--jwt-audience <name>', 'audience of the tokens (default: name of the project)')
    .option('--jwks-url <url>', 'public keys of the issuer (default: .well-known/jwks.json below the issuer)', readHttpUrl)
    .option('--no-rest', 'write no REST documents')
    .option('-y, --yes', 'use the defaults without prompts')
    .option('--force', 'overwrite existing files')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExisting files are not changed without --force. Without a terminal, the command uses the defaults without prompts.',
    )
    .action(async (directory: string, options: InitOptions) => {
      const { init } = await import('../actions/init.ts');
      await init(directory, options, terminal);
    });
}

function readHttpUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('Use an absolute URL, such as https://id.example.com/.');
}
