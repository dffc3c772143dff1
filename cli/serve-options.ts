import { type Command, InvalidArgumentError } from 'commander';

/** The options that `serve` and `dev` share. */
export function withServeOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'YAML file (default: gatefold.yaml, where there is one)')
    .option('--profile <name>', 'dev or production')
    .option('--supergraph <file>', 'supergraph SDL to serve')
    .option('-p, --port <number>', 'public listener (default: 4000)', readPort)
    .option('--internal-port <number>', 'internal listener (default: the next one)', readPort)
    .option('--engine <name>', 'gatefold, or apollo for the stock ApolloGateway in ApolloServer behind Express (default: gatefold)')
    .addHelpText('after', '\nEvery setting: docs/configuration.md. Options stand above the environment, and that above the file.');
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('Write a port from 0 to 65535; 0 takes a free one.');
}
