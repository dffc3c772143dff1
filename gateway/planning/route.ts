import type { EntryPoint } from './resolvable.ts';

/** Route by which a subgraph can be queried for the values of a position. */
export interface Route {
  /** Cost in addition to the fetches that are made anyway. @unit fetches */
  readonly cost: number;
  /**
   * Kind of route: `presence` (it is already queried), `root` (a new request), `parent` (the request that fetches the enclosing values), or
   * a key of the entity.
   */
  readonly by: 'presence' | 'root' | 'parent' | EntryPoint;
}

/** Routes at one position, and the inputs that they were computed for. */
export interface KnownRoutes {
  readonly routes: ReadonlyMap<string, Route>;
  readonly avoid: ReadonlySet<string>;
  /** Remaining budget at that time. @unit steps */
  readonly at: number;
}
