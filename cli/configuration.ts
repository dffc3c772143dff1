import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readConfiguration } from '../gateway/config/read-configuration.ts';
import type { OptionValue } from '../gateway/config/read-layers.ts';
import { type OldName, describeOldName } from '../gateway/config/renamed-settings.ts';
import { gatewaySections } from '../gateway/config/sections.ts';
import { namedSources, type SupergraphSection } from '../gateway/config/sections/supergraph.ts';
import { readSubgraphNames } from '../gateway/supergraph/read-subgraphs.ts';
import { restSection } from '../rest-facade/config.ts';
import { engineSection } from './apollo-engine/engine-section.ts';
import { CommandFailed } from './command-failed.ts';
import { developmentKey } from './development-key.ts';
import type { Terminal } from './terminal.ts';

/** Schema of the whole configuration, with the sections of all modules. Without the section `rest`, there is no REST facade. */
export const productSchema = z.strictObject({ ...gatewaySections, rest: restSection.optional(), engine: engineSection.prefault({}) });

/** The configuration after validation, with defaults and resolved values. */
export type ProductConfig = Awaited<ReturnType<typeof readProductConfig>>;

/** Command line options of `serve` and `dev`. */
export interface ServeOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly supergraph?: string;
  readonly port?: number;
  readonly internalPort?: number;
  readonly engine?: string;
  /** Only for `serve`. */
  readonly workers?: number | 'auto';
}

/** Defaults of a command for settings that are not configured. */
export interface CommandDefaults {
  readonly profile: 'dev' | 'production';
  /** Supergraph that is served if none is configured. */
  readonly supergraphFile?: string;
  /** Values of further options of the command. */
  readonly options?: readonly OptionValue[];
  /** Default directories of the section `rest` while that supergraph is served. */
  readonly restDirectories?: { readonly documents: string; readonly webhooks: string };
}

/**
 * Reads the configuration. Also reads the development key if the profile trusts one and none is configured.
 *
 * @throws ConfigurationInvalid with every mistake
 */
export async function readProductConfig(options: ServeOptions, defaults: CommandDefaults, { env, warn }: Terminal) {
  const read = (schema: typeof productSchema, onOldName?: (oldName: OldName) => void) =>
    readConfiguration({
      ...(onOldName === undefined ? {} : { onOldName }),
      env,
      profileDefault: defaults.profile,
      schema,
      options: [...toOptionValues(options), ...(defaults.options ?? [])],
      subgraphNames: (supergraph) => knownSubgraphNames(supergraph, defaults.supergraphFile),
      ...(options.config === undefined ? {} : { file: options.config }),
    });
  const first = await read(productSchema, (oldName) => warn(describeOldName(oldName)));
  const { restDirectories } = defaults;
  // A setting in the section `rest` must not change the default directories of the other settings.
  const { rest } = first;
  const config =
    restDirectories === undefined || rest === undefined || namedSources(first.supergraph).length > 0
      ? first
      : await read(withRestDocuments(restDirectories.documents));
  if (config !== first && config.rest !== undefined) config.rest.webhooks ??= restDirectories?.webhooks;
  if (config.profile !== 'dev' || config.auth.developmentKey !== undefined) return config;
  return { ...config, auth: { ...config.auth, developmentKey: await developmentKey() } };
}

/** Returns the schema with another default for the directory of the REST documents. */
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

function toOptionValues({ profile, supergraph, port, internalPort, engine, workers }: ServeOptions): readonly OptionValue[] {
  return [
    { name: '--profile', path: ['profile'], value: profile },
    { name: '--supergraph', path: ['supergraph', 'file'], value: supergraph },
    { name: '--port', path: ['server', 'port'], value: port },
    { name: '--internal-port', path: ['server', 'internalPort'], value: internalPort },
    { name: '--engine', path: ['engine', 'name'], value: engine },
    { name: '--workers', path: ['server', 'workers'], value: workers },
  ];
}

/** Returns the names of the subgraphs. Returns undefined if the supergraph is loaded over the network later. */
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
    throw new CommandFailed(`The supergraph file ${file} cannot be read. Check the path, or run \`gatefold compose\` to write one.`, {
      cause,
    });
  }
}
