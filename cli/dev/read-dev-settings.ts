import { existsSync } from 'node:fs';
import { auth as authSection } from '../../gateway/config/sections/auth.ts';
import { namedSources } from '../../gateway/config/sections/supergraph.ts';
import { CommandFailed } from '../command-failed.ts';
import { type ProductConfig, type ServeOptions, readProductConfig } from '../configuration.ts';
import { DEFAULT_COMPOSITION_FILE } from '../default-composition-file.ts';
import { developmentCredentials } from '../development-credentials.ts';
import { readCompositionFile } from '../read-composition.ts';
import { hasReferenceSubgraphs } from '../reference-subgraphs.ts';
import type { SubgraphArgument } from '../subgraph-argument.ts';
import type { Terminal } from '../terminal.ts';
import { signWelcomeTokens, type WelcomeCredentials } from '../welcome.ts';
import type { MockOption } from './dev-subgraph.ts';
import { REFERENCE_DEFAULTS } from './reference-graph.ts';
import { compositionValues, subgraphValues } from './supergraph-values.ts';

/** Command line options of `dev`. */
export interface DevOptions extends ServeOptions {
  readonly subgraph?: readonly SubgraphArgument[];
  /** Composition file. */
  readonly file?: string;
  readonly mock?: MockOption;
  /** Directory of the files with values of mocks. */
  readonly mocks: string;
}

/** Configuration of one start of the gateway. */
export interface DevSettings {
  readonly config: ProductConfig;
  readonly credentials: WelcomeCredentials;
  /** Whether the reference graph is served, because no graph is configured. */
  readonly isReference: boolean;
  /** Files of the configuration, of which a change requires a restart. They need not exist. */
  readonly files: readonly string[];
}

const WITHOUT_GRAPH = [
  'No graph is configured. To serve your subgraphs, run `gatefold dev --subgraph films=http://localhost:5010 --subgraph reviews=./reviews.graphql`,',
  `or list them in ${DEFAULT_COMPOSITION_FILE} or in supergraph.subgraphs of gatefold.yaml. To serve a supergraph file, run \`gatefold dev --supergraph <file>\`.`,
  'The reference graph is not part of the published package. To run it, use `npm start` in a checkout of the repository.',
].join('\n');

/**
 * Reads the configuration. The graph is that of the options, else that of the configuration, else `composition.yaml` in the working
 * directory, else the reference graph.
 *
 * @throws ConfigurationInvalid or CommandFailed with every mistake
 */
export async function readDevSettings(options: DevOptions, terminal: Terminal): Promise<DevSettings> {
  const { subgraph = [], file, config: configFile = 'gatefold.yaml' } = options;
  const composed = file === undefined ? [] : compositionValues('--file', await readCompositionFile(file));
  const given = [...composed, ...subgraphValues(subgraph)];
  const hasReference = hasReferenceSubgraphs();
  const defaults = hasReference && given.length === 0 ? REFERENCE_DEFAULTS : ({ profile: 'dev' } as const);
  const read = await readProductConfig(options, { ...defaults, options: given }, terminal);
  const files = [configFile, ...(file === undefined ? [] : [file])];
  if (namedSources(read.supergraph).length > 0) return { ...(await withCredentials(read)), isReference: false, files };
  if (existsSync(DEFAULT_COMPOSITION_FILE)) {
    const values = compositionValues(DEFAULT_COMPOSITION_FILE, await readCompositionFile(DEFAULT_COMPOSITION_FILE));
    // Warnings about old names were printed at the first reading.
    const config = await readProductConfig(options, { profile: 'dev', options: values }, { ...terminal, warn: () => undefined });
    return { ...(await withCredentials(config)), isReference: false, files: [...files, DEFAULT_COMPOSITION_FILE] };
  }
  if (!hasReference) throw new CommandFailed(WITHOUT_GRAPH, { exitCode: 2 });
  return { ...(await withCredentials(read)), isReference: true, files };
}

/** Creates an API key and a login if the profile has a development key and none are configured. Returns them with the tokens to print. */
async function withCredentials(config: ProductConfig): Promise<Pick<DevSettings, 'config' | 'credentials'>> {
  const { developmentKey, providers } = config.auth;
  if (developmentKey === undefined) return { config, credentials: { tokens: undefined, apiKey: undefined, login: undefined } };
  const [tokens, { apiKeyFile, usersFile, apiKey, login }] = await Promise.all([
    signWelcomeTokens(developmentKey),
    developmentCredentials(developmentKey),
  ]);
  const made = authSection.shape.providers.parse({ apiKey: { file: apiKeyFile }, basic: { file: usersFile } });
  return {
    config: { ...config, auth: { ...config.auth, providers: { ...made, ...providers } } },
    credentials: {
      tokens,
      apiKey: providers.apiKey === undefined ? apiKey : undefined,
      login: providers.basic === undefined ? login : undefined,
    },
  };
}
