/** A path of an error: response keys and list indices. */
export type ErrorPath = readonly (string | number)[];

/** The part that all paths begin with. */
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

/** Tells whether an error stands at a path or below it. */
export function indexErrorPaths(paths: Iterable<ErrorPath>): (path: ErrorPath, depth: number) => boolean {
  type Branch = Map<string | number, Branch>;
  const root: Branch = new Map();
  for (const path of paths) {
    let branch = root;
    for (const element of path) {
      let next = branch.get(element);
      if (next === undefined) {
        next = new Map();
        branch.set(element, next);
      }
      branch = next;
    }
  }
  return (path, depth) => {
    let branch: Branch | undefined = root;
    for (let index = 0; index < depth && branch !== undefined; index += 1) branch = branch.get(path[index] ?? '');
    return branch !== undefined && root.size > 0;
  };
}
