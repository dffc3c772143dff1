import type { z } from 'zod';
import type { OriginOf } from './check-sections.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import { matchSubgraphNames } from './match-subgraph-names.ts';
import type { Environment } from './read-environment-layer.ts';
import { type OptionValue, readLayers } from './read-layers.ts';
import { refuseIdentityConflicts } from './refuse-identity-conflicts.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import type { OldName } from './renamed-settings.ts';
import { type ResolvedGatewayConfig, resolveDefaults } from './resolve-gateway-config.ts';
import type { GatewayConfig } from './sections.ts';

/** Configuration file that is read if no other file is named. */
export const CONFIGURATION_FILE = 'gatefold.yaml';

export interface ReadConfigurationOptions<Config extends GatewayConfig> {
  /** YAML file; it must exist. @defaultValue `gatefold.yaml` in `directory`, if that file exists */
  readonly file?: string;
  /** Directory in which `gatefold.yaml` is searched. @defaultValue the working directory */
  readonly directory?: string;
  readonly env: Environment;
  /** Profile that applies if neither the file, the environment nor the options name one. */
  readonly profileDefault: 'dev' | 'production';
  /** Sections of the gateway and of the components that are served with it. */
  readonly schema: z.ZodObject & z.ZodType<Config>;
  /**
   * Returns the names of the subgraphs in the configured supergraph. Settings of other subgraphs are mistakes. If absent or undefined is
   * returned, names are not checked.
   */
  readonly subgraphNames?: (supergraph: Config['supergraph']) => readonly string[] | undefined;
  /** Values from the command line, which override the file and the environment. */
  readonly options?: readonly OptionValue[];
  /** Called for each setting that is set by its old name. @defaultValue ignores it */
  readonly onOldName?: (oldName: OldName) => void;
}

/**
 * Reads the file, the environment and the command line, in ascending order of precedence, into one checked configuration.
 *
 * @throws ConfigurationInvalid with every mistake from all sources, including settings that the production profile rejects. Each mistake
 * has its path, its location, the expected value and, if it can be guessed, the intended name
 */
export async function readConfiguration<Config extends GatewayConfig>(
  options: ReadConfigurationOptions<Config>,
): Promise<Config & ResolvedGatewayConfig> {
  const { config, originOf, oldNames } = await readLayers({ ...options, defaultFile: CONFIGURATION_FILE });
  const refused = [...refuseIdentityConflicts(config, originOf), ...refuseUnsafe(config, originOf)];
  if (refused.length > 0) throw new ConfigurationInvalid(refused);
  for (const oldName of oldNames) options.onOldName?.(oldName);
  return resolveDefaults(withSubgraphNames(config, options.subgraphNames, originOf));
}

function withSubgraphNames<Config extends GatewayConfig>(
  config: Config,
  namesOf: ReadConfigurationOptions<Config>['subgraphNames'],
  originOf: OriginOf,
): Config {
  if (Object.keys(config.subgraphs.override).length === 0) return config;
  const names = namesOf?.(config.supergraph);
  if (names === undefined) return config;
  const matched = matchSubgraphNames(config.subgraphs.override, names, originOf);
  if ('problems' in matched) throw new ConfigurationInvalid(matched.problems);
  return { ...config, subgraphs: { ...config.subgraphs, override: matched.override } };
}
