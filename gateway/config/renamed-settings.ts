import { describeOrigin, type Origin } from './configuration-invalid.ts';

/** A setting with a new name. */
export interface RenamedSetting {
  readonly from: readonly string[];
  readonly to: readonly string[];
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
];

/** Use of an old name. */
export interface OldName extends RenamedSetting {
  /** Location of the old name. Undefined for a value that was passed in code. */
  readonly origin: Origin | undefined;
}

/** Returns the setting of an old name. Returns undefined if the name is not an old one. */
export function renamedSettingAt(path: readonly string[]): RenamedSetting | undefined {
  const written = path.join('.');
  return RENAMED_SETTINGS.find(({ from }) => from.join('.') === written);
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
  for (const setting of RENAMED_SETTINGS) {
    const value = valueAt(current, setting.from);
    if (value === undefined) continue;
    onOldName({ ...setting, origin: undefined });
    const rest = withValue(current, setting.from, undefined);
    current = valueAt(rest, setting.to) === undefined ? withValue(rest, setting.to, value) : rest;
  }
  return current as Input;
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
