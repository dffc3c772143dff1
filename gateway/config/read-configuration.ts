import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { type OriginOf, checkSections } from './check-sections.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import { type Entry, type Layer, layerOf, mergeLayers, originIn } from './layer.ts';
import { matchSubgraphNames } from './match-subgraph-names.ts';
import { type Environment, readEnvironmentLayer } from './read-environment-layer.ts';
import { refuseIdentityConflicts } from './refuse-identity-conflicts.ts';
import { refuseUnsafe } from './refuse-unsafe.ts';
import type { OldName } from './renamed-settings.ts';
import { type ResolvedGatewayConfig, resolveDefaults } from './resolve-gateway-config.ts';
import type { GatewayConfig } from './sections.ts';
import { compileSettings, type SectionSetting } from './settings.ts';

/** Configuration file that is read if no other file is named. */
const CONFIGURATION_FILE = 'gatefold.yaml';

export interface ReadConfigurationOptions<Config extends GatewayConfig> {
  /** YAML file; it must exist. @defaultValue `gatefold.yaml` in `directory`, if that file exists */
  readonly file?: string;
  /** Directory in which `gatefold.yaml` is searched. @defaultValue the working directory */
  readonly directory?: string;
  readonly env: Environment;
  /** Profile that applies if neither the file, the environment nor the options name one. */
  readonly profileDefault: 'dev' | 'production';
  /** Sections of the gateway and of the components that are served with it. */
  readonly schema: z.ZodType<Config>;
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

/** Value from the command line. */
export interface OptionValue {
  /** Option as it was typed, such as `--port`. */
  readonly name: string;
  readonly path: readonly string[];
  /** Value of the option. Undefined if the option was not given. */
  readonly value?: unknown;
  /** Whether the option removes the value that other sources set. @defaultValue false */
  readonly isUnset?: boolean;
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
  const settings = compileSettings(options.schema);
  const file = options.file ?? fileIn(options.directory ?? '.');
  const layers: readonly Layer[] = [
    ...(file === undefined ? [] : [await readFile(file, settings)]),
    readEnvironmentLayer(options.env, settings),
    layerOf((options.options ?? []).flatMap(toEntry)),
  ];
  const originOf = originIn(layers);
  const values = mergeLayers(layers);
  const checked = checkSections(options.schema, settings, { ...values, profile: values['profile'] ?? options.profileDefault }, originOf);
  const problems = [...layers.flatMap((layer) => layer.problems), ...('problems' in checked ? checked.problems : [])];
  if (problems.length > 0 || 'problems' in checked) throw new ConfigurationInvalid(problems);
  const refused = [...refuseIdentityConflicts(checked.config, originOf), ...refuseUnsafe(checked.config, originOf)];
  if (refused.length > 0) throw new ConfigurationInvalid(refused);
  for (const oldName of layers.flatMap(({ oldNames }) => oldNames)) options.onOldName?.(oldName);
  return resolveDefaults(withSubgraphNames(checked.config, options.subgraphNames, originOf));
}

/** Imports the YAML parser only if there is a file, because the parser has 72 modules. */
async function readFile(file: string, settings: SectionSetting): Promise<Layer> {
  const { readFileLayer } = await import('./read-file-layer.ts');
  return readFileLayer(file, settings);
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

function fileIn(directory: string): string | undefined {
  const file = join(directory, CONFIGURATION_FILE);
  return existsSync(file) ? file : undefined;
}

function toEntry({ name, path, value, isUnset = false }: OptionValue): readonly Entry[] {
  return value === undefined && !isUnset ? [] : [{ path, value, origin: { kind: 'option', name } }];
}
