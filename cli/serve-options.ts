import type { Command } from 'commander';
import { readPort } from './read-port.ts';

/** Adds the options that `serve` and `dev` share. */
export function withServeOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'YAML file (default: gatefold.yaml, if it exists)')
    .option('--profile <name>', 'dev or production')
    .option('--supergraph <file>', 'supergraph SDL to serve')
    .option('-p, --port <number>', 'port of the public listener (default: 4000)', readPort)
    .option('--internal-port <number>', 'port of the internal listener (default: the port after it)', readPort)
    .option('--engine <name>', 'gatefold, or apollo for the stock ApolloGateway in ApolloServer behind Express (default: gatefold)')
    .addHelpText(
      'after',
      '\nAll settings: docs/reference/configuration.md. Options take precedence over environment variables, and these over the file.',
    );
}
