import { Command, InvalidArgumentError } from 'commander';
import type { WebhooksSdlOptions } from '../actions/webhooks-sdl.ts';
import { JSON_OPTION } from '../json-output.ts';
import { readPort } from '../read-port.ts';
import type { Terminal } from '../terminal.ts';
import type { WebhooksOptions } from '../webhooks/read-webhooks-configuration.ts';

/** `gatefold webhooks`: the webhook service, a subgraph for any supergraph. */
export function webhooksCommand(terminal: Terminal): Command {
  const command = new Command('webhooks').description('Serve webhooks for the events of a supergraph.');
  command
    .command('serve')
    .description('Serve the webhook subgraph and send its messages. Default profile: production.')
    .option('-c, --config <file>', 'YAML file (default: webhooks.yaml, if it exists)')
    .option('--profile <name>', 'dev or production')
    .option('-p, --port <number>', 'port of the service (default: 4008)', readPort)
    .addHelpText('after', '\nAll settings: docs/reference/webhooks-configuration.md.')
    .action(async (options: WebhooksOptions) => {
      const { webhooksServe } = await import('../actions/webhooks-serve.ts');
      await webhooksServe(options, terminal);
    });
  command
    .command('sdl')
    .description('Print the SDL of the webhook subgraph, for the composition.')
    .option('--owner-type <name>', 'entity of the supergraph that owns webhooks, such as User (owners.type of the service)', readName)
    .option('--owner-key <field>', 'key field of that entity (owners.key of the service)', readName, 'id')
    .option('-o, --out <file>', 'output file (default: stdout)')
    .option(...JSON_OPTION)
    .action(async (options: WebhooksSdlOptions) => {
      const { webhooksSdl } = await import('../actions/webhooks-sdl.ts');
      await webhooksSdl(options, terminal);
    });
  return command;
}

function readName(text: string): string {
  if (/^[_A-Za-z][_0-9A-Za-z]*$/.test(text)) return text;
  throw new InvalidArgumentError('Use a name of a GraphQL schema.');
}
