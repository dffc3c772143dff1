import type { FetchDataRewrite } from '@apollo/query-planner';
import { fieldsOfRewritePath } from './rewrites.ts';

/** A path of an error: response keys and list indices. */
export type ErrorPath = readonly (string | number)[];

/** The client's response key for an alias that the planner made, and the fields that lead to it. */
export interface KeyRename {
  /** Response keys as the subgraph knows them; the last is the alias. */
  readonly path: readonly string[];
  readonly key: string;
}

/** Takes from the output rewrites what also applies to paths of errors. */
export function compileKeyRenames(rewrites: readonly FetchDataRewrite[] | undefined): readonly KeyRename[] {
  return (rewrites ?? []).flatMap((rewrite) =>
    rewrite.kind === 'KeyRenamer' ? [{ path: fieldsOfRewritePath(rewrite.path), key: rewrite.renameKeyTo }] : [],
  );
}

/**
 * A path inside a subgraph's answer, in the client's response keys.
 *
 * @param path from the object that the fetch fills
 */
export function renameErrorPath(path: ErrorPath, renames: readonly KeyRename[]): ErrorPath {
  if (renames.length === 0) return path;
  const renamed = [...path];
  const fields = path.flatMap((element, index) => (typeof element === 'string' ? [{ element, index }] : []));
  for (const rename of renames) {
    const isPrefix = rename.path.every((element, index) => fields[index]?.element === element);
    const last = fields[rename.path.length - 1];
    if (isPrefix && last !== undefined) renamed[last.index] = rename.key;
  }
  return renamed;
}

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
