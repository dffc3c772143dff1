import { inspect } from 'node:util';
import type { z } from 'zod';
import { type ConfigurationProblem, type Origin, originField } from './configuration-invalid.ts';
import { nearestKey } from '../platform/nearest-key.ts';
import type { SectionSetting, Setting, ValueSetting } from './settings.ts';

/** Returns the location at which the value or the key at a path was written. */
export type OriginOf = (path: readonly string[], part: 'key' | 'value') => Origin | undefined;

type Issue = z.core.$ZodIssue;

/** Checks `values` against the schema. Returns the values with defaults applied, or every mistake with a readable message. */
export function checkSections<Config>(
  schema: z.ZodType<Config>,
  settings: SectionSetting,
  values: unknown,
  originOf: OriginOf,
): { readonly config: Config } | { readonly problems: readonly ConfigurationProblem[] } {
  const checked = schema.safeParse(values, { reportInput: true });
  if (checked.success) return { config: checked.data };
  return { problems: checked.error.issues.flatMap((issue) => explainIssue(issue, settings, originOf)) };
}

function explainIssue(issue: Issue, settings: SectionSetting, originOf: OriginOf): readonly ConfigurationProblem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => explainUnknownKey([...path, key], settings, originOf));
  const setting = settingAt(settings, path) ?? listAt(settings, path.slice(0, -1));
  const problem = { path: path.join('.'), ...originField(nearestOrigin(path, originOf)) };
  if (setting?.kind === 'value') return [{ ...problem, message: explainValue(setting, issue) }];
  if (setting !== undefined && issue.code === 'invalid_type') return [{ ...problem, message: 'expected a section with keys' }];
  return [{ ...problem, message: issue.message }];
}

/** Returns the setting of a list, of which an element is invalid. */
function listAt(settings: SectionSetting, path: readonly string[]): ValueSetting | undefined {
  const list = settingAt(settings, path);
  return list?.kind === 'value' ? list : undefined;
}

/** Returns the origin of a value, or of the list that contains it: the elements of a list have no separate origin. */
function nearestOrigin(path: readonly string[], originOf: OriginOf): Origin | undefined {
  return originOf(path, 'value') ?? (path.length > 1 ? nearestOrigin(path.slice(0, -1), originOf) : undefined);
}

function explainValue(setting: ValueSetting, issue: Issue): string {
  const unit = setting.unit === undefined ? '' : ` (${setting.unit})`;
  // The message of a custom rule is more precise than the expected shape.
  const expected = issue.code === 'custom' ? issue.message : `expected ${setting.expected}${unit}`;
  return `${expected}, got ${describeValue(setting, issue.input)}`;
}

function describeValue(setting: ValueSetting, value: unknown): string {
  if (value === undefined) return 'nothing';
  if (setting.isSecret) return typeof value === 'string' ? `a secret of ${value.length} characters` : 'a value that is not a string';
  // Values that are passed in code may have no JSON representation, such as the NaN of `Number(undefined)`.
  const written = typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : inspect(value);
  // A URL may contain a password before the @.
  const text = written.replaceAll(/\/\/[^/@"]*@/g, '//…@');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function explainUnknownKey(path: readonly string[], settings: SectionSetting, originOf: OriginOf): ConfigurationProblem {
  const hint = hintForUnknownKey(path, settings);
  return { path: path.join('.'), ...originField(originOf(path, 'key')), message: 'unknown setting', ...(hint ? { hint } : {}) };
}

/** Suggests the most similar key in this section, or the same key in another section. */
function hintForUnknownKey(path: readonly string[], settings: SectionSetting): string | undefined {
  const key = path.at(-1) ?? '';
  const parent = path.slice(0, -1);
  const section = settingAt(settings, parent);
  const here = section?.kind === 'section' ? [...section.keys.keys()] : [];
  const near = nearestKey(key, here);
  if (near !== undefined) return `Did you mean ${[...parent, near].join('.')}?`;
  const elsewhere = [...valuePaths(settings)].find((known) => known.at(-1) === key);
  if (elsewhere) return `Did you mean ${elsewhere.join('.')}?`;
  return here.length > 0 ? `Known settings: ${here.join(', ')}.` : undefined;
}

/** Returns the setting at a path. Any key of a record leads to the setting of its values. */
export function settingAt(settings: Setting, path: readonly string[]): Setting | undefined {
  let at: Setting | undefined = settings;
  for (const key of path) {
    if (at?.kind === 'section') at = at.keys.get(key);
    else at = at?.kind === 'record' ? at.value : undefined;
  }
  return at;
}

/** Yields the paths of all values. `<name>` represents the free key of a record. */
export function* valuePaths(setting: Setting, path: readonly string[] = []): Generator<readonly string[]> {
  if (setting.kind === 'value') yield path;
  else if (setting.kind === 'record') yield* valuePaths(setting.value, [...path, '<name>']);
  else for (const [key, child] of setting.keys) yield* valuePaths(child, [...path, key]);
}
