import type { ConfigurationProblem, Origin } from './configuration-invalid.ts';
import type { OldName } from './renamed-settings.ts';

/** Value and the location at which it was written. */
export interface Entry {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly origin: Origin;
}

/** Values of one source: the file, the environment or the command line. */
export interface Layer {
  readonly entries: readonly Entry[];
  readonly problems: readonly ConfigurationProblem[];
  /** Settings that the source sets by their old names. The entries have the new ones. */
  readonly oldNames: readonly OldName[];
  /** Returns the location at which the key or the value at a path was written. */
  originOf(path: readonly string[], part: 'key' | 'value'): Origin | undefined;
}

/** Creates a layer from entries that contain their origin. */
export function layerOf(
  entries: readonly Entry[],
  problems: readonly ConfigurationProblem[] = [],
  oldNames: readonly OldName[] = [],
): Layer {
  return {
    entries,
    problems,
    oldNames,
    // A section has no separate entry, so its origin is that of the first entry below it.
    originOf: (path) => entries.find((entry) => path.every((key, index) => entry.path[index] === key))?.origin,
  };
}

/** Merges the values of all layers into one tree. Later layers override earlier ones. */
export function mergeLayers(layers: readonly Layer[]): Record<string, unknown> {
  const root = emptyNode();
  for (const { path, value } of layers.flatMap((layer) => layer.entries)) writeValue(root, path, value);
  return root;
}

/** Returns a function that finds the origin of a value in the last layer that contains the path. */
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
    // A value at the path of a section is left unchanged, so that the check reports it.
    if (!isNode(child)) return;
    node = child;
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = value;
}

/** Creates an object without a prototype, so that keys from a file cannot reach a prototype. */
function emptyNode(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}
