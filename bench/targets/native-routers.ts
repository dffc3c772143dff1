import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { gatefold } from './gatefold.ts';
import { checkout } from './paths.ts';
import { type Target, type TargetContext, TargetMissing } from './target.ts';

/**
 * Gateways that are compiled to machine code. They are not on npm, so each one is named by an environment variable with the path of its
 * executable. docs/operate/performance.md says how to build them.
 */

/** Returns the file that an environment variable names. @throws TargetMissing when the variable is not set or names no file */
function fileNamedBy(variable: string): string {
  const file = process.env[variable];
  if (file === undefined || file === '') throw new TargetMissing(`the environment variable ${variable} is not set`);
  if (!existsSync(file)) throw new TargetMissing(`${file}, which ${variable} names, does not exist`);
  return file;
}

async function writeConfig({ directory }: TargetContext, name: string, config: object): Promise<string> {
  const file = join(directory, `${name}.yaml`);
  await writeFile(file, stringify(config));
  return file;
}

const hiveRouterWith = (name: 'hive-router' | 'hive-router-deduping', isDeduping: boolean, pollInterval?: string): Target => ({
  name,
  about: `Hive Router, ${isDeduping ? 'with' : 'without'} deduplication of requests`,
  async launch(context) {
    const dedupe = { all: { dedupe_enabled: isDeduping }, router: { dedupe: { enabled: isDeduping } } };
    const polling = pollInterval === undefined ? {} : { poll_interval: pollInterval };
    const config = {
      supergraph: { source: 'file', path: context.supergraphFile, ...polling },
      log: { level: 'error' },
      traffic_shaping: dedupe,
    };
    return {
      command: [fileNamedBy('HIVE_ROUTER_BIN')],
      env: { ROUTER_CONFIG_FILE_PATH: await writeConfig(context, name, config), HOST: '127.0.0.1', PORT: String(context.port) },
      cwd: context.directory,
    };
  },
});

/** Hive Router, which executes each request separately. */
export const hiveRouter: Target = hiveRouterWith('hive-router', false);

/** Hive Router, which loads the file with the supergraph again when it changes. */
export const hiveRouterFollowing: Target = hiveRouterWith('hive-router', false, '250ms');

/** Hive Router in its default configuration. */
export const hiveRouterDeduping: Target = hiveRouterWith('hive-router-deduping', true);

/** Apollo Router without telemetry, which executes each request separately. */
export const apolloRouter: Target = {
  name: 'apollo-router',
  about: 'Apollo Router, without deduplication of requests',
  async launch(context) {
    const config = {
      supergraph: { listen: `127.0.0.1:${context.port}`, path: '/graphql' },
      health_check: { enabled: false },
      traffic_shaping: { all: { deduplicate_query: false } },
    };
    const file = await writeConfig(context, 'apollo-router', config);
    return {
      command: [fileNamedBy('APOLLO_ROUTER_BIN'), '--supergraph', context.supergraphFile, '--config', file, '--log', 'error'],
      env: { APOLLO_TELEMETRY_DISABLED: 'true' },
      cwd: context.directory,
    };
  },
};

/** Part of an execution configuration of Cosmo Router that names the addresses of the subgraphs. */
interface ExecutionConfig {
  readonly subgraphs?: readonly { readonly name: string; readonly routingUrl: string }[];
}

/**
 * Cosmo Router without telemetry and access log. Its execution configuration is composed with its own tool, so the addresses of the
 * subgraphs are replaced by those of the benchmark.
 */
export const cosmoRouter: Target = {
  name: 'cosmo-router',
  about: 'Cosmo Router, without telemetry, access log and deduplication of requests',
  async launch(context) {
    const bin = fileNamedBy('COSMO_ROUTER_BIN');
    const text = readFileSync(fileNamedBy('COSMO_ROUTER_EXECUTION_CONFIG'), 'utf8');
    const executionConfig = join(context.directory, 'cosmo-execution.json');
    await writeFile(executionConfig, withAddresses(text, context.subgraphs));
    const config = {
      version: '1',
      listen_addr: `127.0.0.1:${context.port}`,
      graphql_path: '/graphql',
      log_level: 'error',
      execution_config: { file: { path: executionConfig } },
      access_logs: { enabled: false },
      telemetry: { tracing: { enabled: false }, metrics: { otlp: { enabled: false }, prometheus: { enabled: false } } },
      engine: { enable_single_flight: false },
    };
    const file = await writeConfig(context, 'cosmo-router', config);
    return { command: [bin, '-config', file], env: { CONFIG_PATH: file }, cwd: context.directory };
  },
};

/** Replaces the addresses of the subgraphs. @throws TargetMissing when the configuration does not have all subgraphs of the benchmark */
function withAddresses(text: string, addresses: Readonly<Record<string, string>>): string {
  const { subgraphs = [] } = JSON.parse(text) as ExecutionConfig;
  let result = text;
  for (const [name, url] of Object.entries(addresses)) {
    const found = subgraphs.find((subgraph) => subgraph.name === name);
    if (found === undefined) throw new TargetMissing(`COSMO_ROUTER_EXECUTION_CONFIG has no subgraph "${name}"`);
    result = result.replaceAll(JSON.stringify(found.routingUrl), JSON.stringify(url));
  }
  return result;
}

/** Gatefold with the options of Node.js that the container image sets. */
export const gatefoldOfImage: Target = {
  name: 'gatefold',
  about: 'gatefold serve, with the options of Node.js of the container image',
  async launch(context) {
    const launch = await gatefold.launch(context);
    return { ...launch, env: { ...launch.env, NODE_OPTIONS: optionsOfImage() } };
  },
};

/** Reads the options of Node.js from the Dockerfile. */
function optionsOfImage(): string {
  const [, options] = /NODE_OPTIONS="([^"]+)"/.exec(readFileSync(join(checkout, 'Dockerfile'), 'utf8')) ?? [];
  if (options === undefined) throw new Error('The Dockerfile sets no NODE_OPTIONS.');
  return options;
}

/** Gatefold with `graphql.dedupe` and `subgraphs.dedupe`, for the comparison with gateways that deduplicate by default. */
export const gatefoldDeduping: Target = {
  name: 'gatefold-deduping',
  about: 'the same, with deduplication of requests',
  async launch(context) {
    const launch = await gatefoldOfImage.launch(context);
    return { ...launch, env: { ...launch.env, GATEFOLD_GRAPHQL__DEDUPE: 'true', GATEFOLD_SUBGRAPHS__DEDUPE: 'true' } };
  },
};
