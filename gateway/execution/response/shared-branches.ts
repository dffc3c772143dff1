/** A place of the tree from which paths to shared objects lead on. */
export interface SharedBranch {
  /** Tells branches apart. */
  readonly id: number;
  /** True when one object can be in several places here. */
  readonly isShared: boolean;
  /** By data key. */
  readonly inside: ReadonlyMap<string, SharedBranch>;
}

interface GrowingBranch {
  readonly id: number;
  isShared: boolean;
  readonly inside: Map<string, GrowingBranch>;
}

/**
 * Arranges paths of data keys as a tree. Places from which no path leads to a shared object are in no branch, and need not be told apart.
 *
 * @param paths joined by `/`
 */
export function branchShared(paths: ReadonlySet<string>): SharedBranch | undefined {
  if (paths.size === 0) return undefined;
  let count = 0;
  const open = (): GrowingBranch => ({ id: (count += 1), isShared: false, inside: new Map() });
  const root = open();
  for (const path of paths) {
    let branch = root;
    for (const key of path === '' ? [] : path.split('/')) {
      const known = branch.inside.get(key) ?? open();
      branch.inside.set(key, known);
      branch = known;
    }
    branch.isShared = true;
  }
  return root;
}
