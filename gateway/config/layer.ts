import type { ConfigurationProblem, Origin } from './configuration-invalid.ts';

/** One value and where it was written. */
export interface Entry {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly origin: Origin;
}

/** All values that one source gives: the file, the environment, the command line. */
export interface Layer {
  readonly entries: readonly Entry[];
  readonly problems: readonly ConfigurationProblem[];
  /** Where the key, or the value, at a path was written. */
  originOf(path: readonly string[], part: 'key' | 'value'): Origin | undefined;
}

/** A layer of entries that know their own origin. */
export function layerOf(entries: readonly Entry[], problems: readonly ConfigurationProblem[] = []): Layer {
  return {
    entries,
    problems,
    // A key that stands for a whole section has the origin of what was written below it.
    originOf: (path) => entries.find((entry) => path.every((key, index) => entry.path[index] === key))?.origin,
  };
}

/** The values of all layers as one tree; of several for one path the last layer's stands. */
export function mergeLayers(layers: readonly Layer[]): Record<string, unknown> {
  const root = emptyNode();
  for (const { path, value } of layers.flatMap((layer) => layer.entries)) writeValue(root, path, value);
  return root;
}

/** Where the value that stands was written: in the last layer that has the path. */
export function originIn(layers: readonly Layer[]): Layer['originOf'] {
  return (path, part) => {
    for (const layer of layers.toReversed()) {
      const origin = layer.originOf(path, part);
      if (origin) return origin;
    }
    return undefined;
  };
}

function writeValue(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = root;
  for (const key of path.slice(0, -1)) {
    const child = (node[key] ??= emptyNode());
    // A value where a section belongs stays, and is reported as what it is.
    if (!isNode(child)) return;
    node = child;
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = value;
}

/** Without a prototype, so that no key of a file can reach one. */
function emptyNode(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}
