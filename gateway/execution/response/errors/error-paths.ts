/** Path of an error: response keys and list indices. */
export type ErrorPath = readonly (string | number)[];

/** Returns the longest common prefix of all paths. */
export function commonPrefix(paths: readonly ErrorPath[]): ErrorPath {
  const [first = [], ...others] = paths;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && other[same] === first[same]) same += 1;
    length = same;
  }
  return first.slice(0, length);
}

/** A node in the tree of paths. */
interface Branch {
  readonly next: Map<string | number, Branch>;
  /** Whether all nulls inside are explained. */
  isNull: boolean;
}

/**
 * Indexes error paths. The returned function reports whether an error explains a null. That is the case when an error is located at the
 * path or beneath it, or made an enclosing value null.
 *
 * @param nullPaths Paths of values that subgraphs made null because of their errors.
 */
export function indexErrorPaths(
  paths: Iterable<ErrorPath>,
  nullPaths: Iterable<ErrorPath> = [],
): (path: ErrorPath, depth: number) => boolean {
  const root: Branch = { next: new Map(), isNull: false };
  for (const path of paths) addPath(root, path);
  for (const path of nullPaths) addPath(root, path).isNull = true;
  return (path, depth) => {
    let branch: Branch | undefined = root;
    for (let index = 0; index < depth && branch?.isNull === false; index += 1) branch = branch.next.get(path[index] ?? '');
    return branch !== undefined && root.next.size > 0;
  };
}

function addPath(root: Branch, path: ErrorPath): Branch {
  let branch = root;
  for (const element of path) {
    let next = branch.next.get(element);
    if (next === undefined) branch.next.set(element, (next = { next: new Map(), isNull: false }));
    branch = next;
  }
  return branch;
}
