import { describeOrigin, type Origin } from './configuration-invalid.ts';

/** A setting with a new name. */
export interface RenamedSetting {
  /** Old path. `<name>` represents any key of a record. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Converts a value of the old setting. @defaultValue the value is unchanged */
  readonly convert?: (value: unknown) => unknown;
}

/** Settings that were renamed in version 0.2, which still reads their old names. */
export const RENAMED_SETTINGS: readonly RenamedSetting[] = [
  { from: ['limits', 'tellCost'], to: ['limits', 'exposeCost'] },
  { from: ['budget', 'weights', 'refusal'], to: ['budget', 'weights', 'rejection'] },
  { from: ['idempotency', 'neverKept'], to: ['idempotency', 'noStore'] },
  { from: ['idempotency', 'maxReplyBytes'], to: ['idempotency', 'maxResponseBytes'] },
  { from: ['auth', 'providers', 'basic', 'rememberMs'], to: ['auth', 'providers', 'basic', 'cacheMs'] },
  {
    from: ['auth', 'providers', 'introspection', 'refusedCacheMs'],
    to: ['auth', 'providers', 'introspection', 'inactiveCacheMs'],
  },
  {
    from: ['supergraph', 'subgraphs', '<name>', 'schema'],
    to: ['supergraph', 'subgraphs', '<name>', 'files'],
    convert: (value) => (typeof value === 'string' ? [value] : value),
  },
];

/** Represents any key of a record. An old name and its new name have it at the same index. */
const ANY_KEY = '<name>';

/** Use of an old name. */
export interface OldName extends RenamedSetting {
  /** Location of the old name. Undefined for a value that was passed in code. */
  readonly origin: Origin | undefined;
}

/** Returns the setting of an old name, with the keys of the path. Returns undefined if the name is not an old one. */
export function renamedSettingAt(path: readonly string[]): RenamedSetting | undefined {
  const matches = ({ from }: RenamedSetting) =>
    from.length === path.length && from.every((key, index) => key === ANY_KEY || key === path[index]);
  const renamed = RENAMED_SETTINGS.find(matches);
  if (renamed === undefined) return undefined;
  const to = renamed.to.map((key, index) => (key === ANY_KEY ? (path[index] ?? '') : key));
  return { ...renamed, from: path, to };
}

/** Returns the warning for the use of an old name. */
export function describeOldName({ from, to, origin }: OldName): string {
  const location = origin === undefined ? '' : ` (${describeOrigin(origin)})`;
  return `The setting ${from.join('.')}${location} was renamed to ${to.join('.')}. Use the new name: version 0.3 rejects the old one.`;
}

/**
 * Moves values from old names to new ones. A value under the new name takes precedence.
 *
 * @returns the same object if it has no old name, or a copy
 */
export function withNewNames<Input extends object>(input: Input, onOldName: (oldName: OldName) => void): Input {
  let current: unknown = input;
  for (const path of RENAMED_SETTINGS.flatMap(({ from }) => pathsIn(input, from))) {
    const setting = renamedSettingAt(path);
    const value = valueAt(current, path);
    if (setting === undefined || value === undefined) continue;
    onOldName({ ...setting, origin: undefined });
    const rest = withValue(current, path, undefined);
    const { to, convert = unchanged } = setting;
    current = valueAt(rest, to) === undefined ? withValue(rest, to, convert(value)) : rest;
  }
  return current as Input;
}

const unchanged = (value: unknown): unknown => value;

/** Returns the paths in a value that match a path with any keys. */
function pathsIn(root: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const index = path.indexOf(ANY_KEY);
  if (index === -1) return [path];
  const [before, after] = [path.slice(0, index), path.slice(index + 1)];
  const record = valueAt(root, before);
  const keys = isRecord(record) ? Object.keys(record) : [];
  return keys.flatMap((key) => pathsIn(root, [...before, key, ...after]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Copies the objects on the path; an undefined value removes the key. */
function withValue(root: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const object = isRecord(root) ? root : {};
  if (rest.length > 0) return { ...object, [key]: withValue(object[key], rest, value) };
  const { [key]: _replaced, ...others } = object;
  return value === undefined ? others : { ...others, [key]: value };
}
