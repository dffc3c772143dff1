import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type OptionValue, readConfiguration } from '../gateway/config/read-configuration.ts';
import { gatewaySections } from '../gateway/config/sections.ts';
import { namedSources, type SupergraphSection } from '../gateway/config/sections/supergraph.ts';
import { readSubgraphNames } from '../gateway/supergraph/read-subgraphs.ts';
import { restSection } from '../rest-facade/config.ts';
import { engineSection } from './apollo-engine/engine-section.ts';
import { CommandFailed } from './command-failed.ts';
import { developmentKey } from './development-key.ts';
import type { Terminal } from './terminal.ts';

/** The whole configuration: the sections of every part. Without the section `rest` there is no REST facade. */
export const productSchema = z.strictObject({ ...gatewaySections, rest: restSection.optional(), engine: engineSection.prefault({}) });

/** Every key read, checked, defaulted and resolved. */
export type ProductConfig = Awaited<ReturnType<typeof readProductConfig>>;

/** What `serve` and `dev` take on the command line. */
export interface ServeOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly supergraph?: string;
  readonly port?: number;
  readonly internalPort?: number;
  readonly engine?: string;
}

/** What a command starts with where nothing is said. */
export interface CommandDefaults {
  readonly profile: 'dev' | 'production';
  /** Supergraph that is served where none is configured. */
  readonly supergraphFile?: string;
  /** Where the section `rest` looks for documents while that supergraph is served. */
  readonly restDirectories?: { readonly documents: string; readonly webhooks: string };
}

/**
 * Reads the configuration, and the development key where the profile trusts one and none is configured.
 *
 * @throws ConfigurationInvalid with every mistake
 */
export async function readProductConfig(options: ServeOptions, defaults: CommandDefaults, { env }: Terminal) {
  const read = (schema: typeof productSchema) =>
    readConfiguration({
      env,
      profileDefault: defaults.profile,
      schema,
      options: toOptionValues(options),
      subgraphNames: (supergraph) => knownSubgraphNames(supergraph, defaults.supergraphFile),
      ...(options.config === undefined ? {} : { file: options.config }),
    });
  const first = await read(productSchema);
  const { restDirectories } = defaults;
  // One setting of the section must not move the directories of the others.
  const { rest } = first;
  const config =
    restDirectories === undefined || rest === undefined || namedSources(first.supergraph).length > 0
      ? first
      : await read(withRestDocuments(restDirectories.documents));
  if (config !== first && config.rest !== undefined) config.rest.webhooks ??= restDirectories?.webhooks;
  if (config.profile !== 'dev' || config.auth.developmentKey !== undefined) return config;
  return { ...config, auth: { ...config.auth, developmentKey: await developmentKey() } };
}

/** The same settings, with another default for the directory of the REST documents. */
function withRestDocuments(directory: string): typeof productSchema {
  const { documents } = restSection.shape;
  const rest = restSection.extend({
    documents: documents
      .unwrap()
      .default(directory)
      .meta({ ...documents.meta() }),
  });
  return productSchema.extend({ rest: rest.optional() });
}

function toOptionValues({ profile, supergraph, port, internalPort, engine }: ServeOptions): readonly OptionValue[] {
  return [
    { name: '--profile', path: ['profile'], value: profile },
    { name: '--supergraph', path: ['supergraph', 'file'], value: supergraph },
    { name: '--port', path: ['server', 'port'], value: port },
    { name: '--internal-port', path: ['server', 'internalPort'], value: internalPort },
    { name: '--engine', path: ['engine', 'name'], value: engine },
  ];
}

/** Undefined where the supergraph is not at hand: it will come over the network. */
function knownSubgraphNames(supergraph: SupergraphSection, fallbackFile: string | undefined): readonly string[] | undefined {
  const [source] = namedSources(supergraph);
  if (source === 'url' || source === 'uplink') return undefined;
  if (supergraph.subgraphs !== undefined) return Object.keys(supergraph.subgraphs);
  return readSubgraphNames(supergraph.sdl ?? readText(supergraph.file ?? fallbackFile));
}

function readText(file: string | undefined): string {
  if (file === undefined) return '';
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandFailed(`The supergraph file ${file} cannot be read. \`gatefold compose\` writes one.`, { cause });
  }
}
