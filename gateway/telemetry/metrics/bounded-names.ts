/** Value of a label for everything that exceeds a bound. */
export const OTHER = '_OTHER';

/** Returns a name, or `_OTHER` when the bound of different names is reached. An empty name is not counted. */
export type BoundName = (name: string | undefined) => string;

/** Creates a bound: the first `max` names are reported. With 0, names are not reported at all. */
export function createBoundedNames(max: number): BoundName {
  const names = new Set<string>();
  if (max === 0) return () => '';
  return (name) => {
    if (name === undefined) return '';
    if (names.has(name)) return name;
    if (names.size >= max) return OTHER;
    names.add(name);
    return name;
  };
}
