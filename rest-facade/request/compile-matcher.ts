import type { RestMethod } from '../mapping/directive-values.ts';
import type { Route } from '../mapping/route.ts';

/** The resource at a path. */
export interface Match {
  readonly routes: ReadonlyMap<RestMethod, Route>;
  /** Decoded parameters of the path, in order. */
  readonly parameters: readonly string[];
  readonly mount: string;
}

/**
 * Finds what stands at a raw path. Paths are case-sensitive; one slash at the end makes no difference; words win over
 * parameters. The percent-encoding must be sound.
 */
export type Matcher = (path: string) => Match | undefined;

interface Node {
  readonly words: Map<string, Node>;
  parameter?: Node;
  readonly routes: Map<RestMethod, Route>;
  mount: string;
}

/** Every route below every mount, as a tree by segment. */
export function compileMatcher(routes: readonly Route[], mounts: readonly string[]): Matcher {
  const root = createNode();
  for (const mount of mounts) {
    for (const route of routes) addRoute(root, mount, route);
  }
  return (path) => {
    const segments = path.slice(1).split('/');
    if (segments.length > 1 && segments.at(-1) === '') segments.pop();
    if (segments.includes('')) return undefined;
    return find(root, segments.map(decodeURIComponent), 0, []);
  };
}

function addRoute(root: Node, mount: string, route: Route): void {
  const prefix = mount === '' ? [] : mount.slice(1).split('/');
  let node = root;
  for (const segment of [...prefix.map((literal) => ({ literal })), ...route.template]) {
    if ('literal' in segment) {
      const next = node.words.get(segment.literal) ?? createNode();
      node.words.set(segment.literal, next);
      node = next;
    } else {
      node.parameter ??= createNode();
      node = node.parameter;
    }
  }
  node.routes.set(route.method, route);
  node.mount = mount;
}

function createNode(): Node {
  return { words: new Map(), routes: new Map(), mount: '' };
}

function find(node: Node, segments: readonly string[], index: number, parameters: readonly string[]): Match | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.routes.size === 0 ? undefined : { routes: node.routes, parameters, mount: node.mount };
  const word = node.words.get(segment);
  const byWord = word && find(word, segments, index + 1, parameters);
  return byWord ?? (node.parameter && find(node.parameter, segments, index + 1, [...parameters, segment]));
}
