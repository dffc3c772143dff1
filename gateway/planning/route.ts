import type { EntryPoint } from './resolvable.ts';

/** How a subgraph gets to be asked about the values of a place. */
export interface Route {
  /** What it takes beyond what is fetched anyway. @unit fetches */
  readonly cost: number;
  /** It is asked already · a new request · in the request that brings the values around it · by a key of the entity. */
  readonly by: 'presence' | 'root' | 'parent' | EntryPoint;
}

/** The ways at one place, and what they were found for. */
export interface KnownRoutes {
  readonly routes: ReadonlyMap<string, Route>;
  readonly avoid: ReadonlySet<string>;
  /** What was left of the budget then. @unit steps */
  readonly at: number;
}
