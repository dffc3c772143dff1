import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { type OriginOf, checkSections } from './check-sections.ts';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import { type EnvironmentNames, GATEWAY_VARIABLES } from './environment-names.ts';
import { type Entry, type Layer, layerOf, mergeLayers, originIn } from './layer.ts';
import { type Environment, readEnvironmentLayer } from './read-environment-layer.ts';
import type { OldName } from './renamed-settings.ts';
import { compileSettings, type SectionSetting } from './settings.ts';

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

export interface ReadLayersOptions<Config> {
  readonly schema: z.ZodObject & z.ZodType<Config>;
  /** YAML file; it must exist. @defaultValue `defaultFile` in `directory`, if that file exists */
  readonly file?: string | undefined;
  /** Name of the file that is read if no other file is named. */
  readonly defaultFile: string;
  /** Directory in which the default file is searched. @defaultValue the working directory */
  readonly directory?: string | undefined;
  readonly env: Environment;
  /** Names of the environment variables. @defaultValue those of the gateway */
  readonly variables?: EnvironmentNames;
  /** Values from the command line, which override the file and the environment. */
  readonly options?: readonly OptionValue[] | undefined;
  /** Profile that applies if no source names one. */
  readonly profileDefault: 'dev' | 'production';
}

/** Checked values of all sources. */
export interface ReadLayers<Config> {
  readonly config: Config;
  /** Returns the location at which a setting was written. */
  readonly originOf: OriginOf;
  /** Settings that a source sets by their old names. */
  readonly oldNames: readonly OldName[];
}

/**
 * Reads the file, the environment and the command line, in ascending order of precedence, and checks the result against a schema.
 *
 * @throws ConfigurationInvalid with every mistake from all sources. Each mistake has its path, its location, the expected value and, if it
 * can be guessed, the intended name
 */
export async function readLayers<Config>(options: ReadLayersOptions<Config>): Promise<ReadLayers<Config>> {
  const { schema, env, variables = GATEWAY_VARIABLES, profileDefault } = options;
  const settings = compileSettings(schema);
  const file = options.file ?? fileIn(options.directory ?? '.', options.defaultFile);
  const layers: readonly Layer[] = [
    ...(file === undefined ? [] : [await readFile(file, settings)]),
    readEnvironmentLayer(env, settings, variables),
    layerOf((options.options ?? []).flatMap(toEntry)),
  ];
  const originOf = originIn(layers);
  const values = mergeLayers(layers);
  const checked = checkSections(schema, settings, { ...values, profile: values['profile'] ?? profileDefault }, originOf);
  const problems = [...layers.flatMap((layer) => layer.problems), ...('problems' in checked ? checked.problems : [])];
  if (problems.length > 0 || 'problems' in checked) throw new ConfigurationInvalid(problems);
  return { config: checked.config, originOf, oldNames: layers.flatMap(({ oldNames }) => oldNames) };
}

/** Imports the YAML parser only if there is a file, because the parser has 72 modules. */
async function readFile(file: string, settings: SectionSetting): Promise<Layer> {
  const { readFileLayer } = await import('./read-file-layer.ts');
  return readFileLayer(file, settings);
}

function fileIn(directory: string, name: string): string | undefined {
  const file = join(directory, name);
  return existsSync(file) ? file : undefined;
}

function toEntry({ name, path, value, isUnset = false }: OptionValue): readonly Entry[] {
  return value === undefined && !isUnset ? [] : [{ path, value, origin: { kind: 'option', name } }];
}
