import { valuePaths, settingAt } from './check-sections.ts';
import { type ConfigurationProblem, type Origin, describeOrigin } from './configuration-invalid.ts';
import { type EnvironmentNames, GATEWAY_VARIABLES } from './environment-names.ts';
import { readSecretFile, SECRET_FILE_SUFFIX } from '../platform/secret-file.ts';
import { type Entry, type Layer, layerOf } from './layer.ts';
import { nearestKey } from '../platform/nearest-key.ts';
import { type OldName, RENAMED_SETTINGS, renamedSettingAt } from './renamed-settings.ts';
import type { SectionSetting, ValueSetting } from './settings.ts';

/** Environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SUBGRAPH_URL = /^SUBGRAPH_([A-Z0-9_]+)_URL$/;

/** Returns the variable for a path: `GATEFOLD_SERVER__MAX_BODY_BYTES` for `server.maxBodyBytes`, or the special name. */
export function environmentNameOf(path: readonly string[], { prefix, special }: EnvironmentNames = GATEWAY_VARIABLES): string {
  const joined = path.join('.');
  for (const [name, specialPath] of special) if (specialPath.join('.') === joined) return name;
  return nameFromPath(path, prefix);
}

function nameFromPath(path: readonly string[], prefix: string): string {
  return prefix + path.map((key) => (key === '<name>' ? '<NAME>' : key.replaceAll(/[A-Z]/g, '_$&').toUpperCase())).join('__');
}

/**
 * Reads the values of environment variables. An empty variable counts as unset, as in Compose files. An unknown variable with the prefix is
 * a mistake, because a typing error would silently leave a setting at its default. A variable of a secret with the suffix `_FILE` names a
 * file with the value.
 *
 * @param names names of the variables. Default: those of the gateway
 */
export function readEnvironmentLayer(
  environment: Environment,
  settings: SectionSetting,
  names: EnvironmentNames = GATEWAY_VARIABLES,
): Layer {
  const entries: Entry[] = [];
  const problems: ConfigurationProblem[] = [];
  const oldNames: OldName[] = [];
  for (const [name, given] of Object.entries(environment)) {
    const variable = given === undefined || given === '' ? undefined : findVariable(name, given, settings, names);
    if (variable === undefined) continue;
    const { path: written, text } = variable;
    const origin: Origin = { kind: 'environment', name };
    const renamed = written === 'unknown' ? undefined : renamedSettingAt(written);
    if (renamed !== undefined) oldNames.push({ ...renamed, origin });
    const path = renamed?.to ?? written;
    const setting = path === 'unknown' ? undefined : settingAt(settings, path);
    if (path === 'unknown' || setting?.kind !== 'value') {
      problems.push({ path: name, message: 'this environment variable does not belong to any setting', ...hintFor(name, settings, names) });
    } else if (typeof text !== 'string') {
      problems.push({ path: path.join('.'), origin, message: `the file ${given} cannot be used: ${text.message}` });
    } else {
      const earlier = entries.find((entry) => entry.path.join('.') === path.join('.'));
      const value = coerce(text, setting);
      if (earlier === undefined) entries.push({ path, value: renamed?.convert?.(value) ?? value, origin });
      else problems.push(setTwice(earlier, origin));
    }
  }
  return layerOf(entries, problems, oldNames);
}

function setTwice(earlier: Entry, origin: Origin): ConfigurationProblem {
  const message = `is already set by ${describeOrigin(earlier.origin)}`;
  return { path: earlier.path.join('.'), origin, message, hint: 'Remove one of the two variables.' };
}

/** Finds the path of a variable, and its text, or the error with which its file was read. */
function findVariable(
  name: string,
  given: string,
  settings: SectionSetting,
  names: EnvironmentNames,
): { readonly path: readonly string[] | 'unknown'; readonly text: string | Error } | undefined {
  const secretPath = secretFilePath(name, settings, names);
  if (secretPath !== undefined) return { path: secretPath, text: readSecret(given) };
  const path = pathOf(name, settings, names);
  return path === undefined ? undefined : { path, text: given };
}

/** Returns the path of a variable; undefined if the variable does not belong to this process. */
function pathOf(
  name: string,
  settings: SectionSetting,
  { prefix, special, isForeign }: EnvironmentNames,
): readonly string[] | 'unknown' | undefined {
  const path = special.get(name);
  if (path) return path;
  const subgraph = settings.keys.has('subgraphs') ? SUBGRAPH_URL.exec(name)?.[1] : undefined;
  if (subgraph !== undefined) return ['subgraphs', 'override', subgraph.toLowerCase(), 'url'];
  if (!name.startsWith(prefix) || isForeign(name)) return undefined;
  return knownPath(name.slice(prefix.length).split('__'), settings) ?? 'unknown';
}

/** Returns the path of a secret whose variable has the suffix `_FILE`; undefined for every other variable. */
function secretFilePath(name: string, settings: SectionSetting, names: EnvironmentNames): readonly string[] | undefined {
  if (!name.endsWith(SECRET_FILE_SUFFIX)) return undefined;
  const direct = pathOf(name, settings, names);
  if (direct !== undefined && direct !== 'unknown') return undefined;
  const path = pathOf(name.slice(0, -SECRET_FILE_SUFFIX.length), settings, names);
  if (path === undefined || path === 'unknown') return undefined;
  const setting = settingAt(settings, path);
  return setting?.kind === 'value' && setting.isSecret ? path : undefined;
}

function readSecret(file: string): string | Error {
  try {
    return readSecretFile(file);
  } catch (error) {
    return error as Error;
  }
}

/** Finds the path for the words of a variable, such as `SERVER`, `MAX_BODY_BYTES`. Case and separators are ignored. */
function knownPath(parts: readonly string[], settings: SectionSetting): readonly string[] | undefined {
  const wanted = parts.map(bare);
  const section = [...settings.keys.keys()].find((key) => bare(key) === wanted[0]);
  const setting = section === undefined ? undefined : settings.keys.get(section);
  const known = section === undefined || setting === undefined ? [] : valuePaths(setting, [section]);
  return [...known, ...RENAMED_SETTINGS.map(({ from }) => from)]
    .map((path) => (path.length === parts.length ? path : []))
    .map((path) => path.map((key, index) => (key === '<name>' ? (parts[index] ?? '').toLowerCase() : key)))
    .find((path) => path.length > 0 && path.every((key, index) => bare(key) === wanted[index]));
}

function bare(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase();
}

function hintFor(name: string, settings: SectionSetting, names: EnvironmentNames): { readonly hint?: string } {
  const known = [...valuePaths(settings)].flatMap((path) => [nameFromPath(path, names.prefix), environmentNameOf(path, names)]);
  const near = nearestKey(name, known);
  return near === undefined ? {} : { hint: `Did you mean ${near}?` };
}

/**
 * Converts a text to the type of the setting. A text that does not fit is returned unchanged, so that the check reports the expected value.
 */
function coerce(text: string, setting: ValueSetting): unknown {
  const trimmed = text.trim();
  if (setting.type === 'boolean') return trimmed === 'true' || trimmed === 'false' ? trimmed === 'true' : text;
  if (setting.type === 'json') return parseJson(text);
  if (setting.type === 'string') return text;
  return /^[+-]?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
