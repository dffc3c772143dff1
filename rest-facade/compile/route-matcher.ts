import type { RestMethod } from './documents/directives.ts';
import { routesIn } from './endpoint/versions.ts';
import type { RestRoute } from './rest-route.ts';

/** The resource at a path, in one version. */
export interface Match {
  readonly routes: ReadonlyMap<RestMethod, RestRoute>;
  /** Decoded path parameters, in order. */
  readonly parameters: readonly string[];
  /** Path prefix before the path of the route: the mount, and the version if the path contains it. */
  readonly mount: string;
  /** The mount without the version. */
  readonly root: string;
}

/** The resources at a path, by version: only one version if the path names it, otherwise every version that has the path. */
export interface FoundVersions {
  readonly byVersion: ReadonlyMap<number, Match>;
  readonly isNamed: boolean;
}

/**
 * Finds the resource at a raw path: `[mount][/v<N>]<resource>`. Paths are case-sensitive, one trailing slash is ignored, and literals win
 * over parameters. The percent-encoding must be valid.
 */
export type Matcher = (path: string) => FoundVersions | undefined;

interface Node {
  readonly words: Map<string, Node>;
  parameter?: Node;
  readonly routes: Map<RestMethod, RestRoute>;
  mount: string;
  root: string;
  isVersionNamed: boolean;
}

/** Builds one tree of path segments for each version, with every route below every mount. */
export function compileMatcher(routes: readonly RestRoute[], mounts: readonly string[], versions: readonly number[]): Matcher {
  const trees = versions.map((version) => [version, growTree(routesIn(routes, version), mounts, version)] as const);
  return (path) => {
    const segments = path.slice(1).split('/');
    if (segments.length > 1 && segments.at(-1) === '') segments.pop();
    if (segments.includes('')) return undefined;
    const decoded = segments.map(decodeURIComponent);
    const byVersion = new Map<number, Match>();
    for (const [version, root] of trees) {
      const found = find(root, decoded, 0, []);
      if (found === undefined) continue;
      const { routes: served, mount, root: outer, isVersionNamed } = found.node;
      const here = { routes: served, parameters: found.parameters, mount, root: outer };
      // A parameter in the first segment matches `v<N>` as a value, in every version except version N.
      if (isVersionNamed) return { byVersion: new Map([[version, here]]), isNamed: true };
      byVersion.set(version, here);
    }
    return byVersion.size === 0 ? undefined : { byVersion, isNamed: false };
  };
}

function growTree(routes: readonly RestRoute[], mounts: readonly string[], version: number): Node {
  const root = createNode();
  for (const mount of mounts) {
    for (const route of routes) {
      addRoute(root, { mount, root: mount, isVersionNamed: false }, route);
      addRoute(root, { mount: `${mount}/v${version}`, root: mount, isVersionNamed: true }, route);
    }
  }
  return root;
}

function addRoute(tree: Node, location: Pick<Node, 'mount' | 'root' | 'isVersionNamed'>, route: RestRoute): void {
  const prefix = location.mount === '' ? [] : location.mount.slice(1).split('/');
  let node = tree;
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
  Object.assign(node, location);
}

function createNode(): Node {
  return { words: new Map(), routes: new Map(), mount: '', root: '', isVersionNamed: false };
}

interface Found {
  readonly node: Node;
  readonly parameters: readonly string[];
}

function find(node: Node, segments: readonly string[], index: number, parameters: readonly string[]): Found | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.routes.size === 0 ? undefined : { node, parameters };
  const word = node.words.get(segment);
  const byWord = word && find(word, segments, index + 1, parameters);
  return byWord ?? (node.parameter && find(node.parameter, segments, index + 1, [...parameters, segment]));
}
