/** Returns the paths of the settings that differ between two configurations. Values are not returned, because they may be secret. */
export function changedSettings(previous: unknown, next: unknown, path: readonly string[] = []): readonly string[] {
  if (isSection(previous) && isSection(next)) {
    const keys = [...new Set([...Object.keys(previous), ...Object.keys(next)])];
    return keys.flatMap((key) => changedSettings(previous[key], next[key], [...path, key]));
  }
  return JSON.stringify(previous) === JSON.stringify(next) ? [] : [path.join('.')];
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
