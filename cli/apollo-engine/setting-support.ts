/** Support of the engine `apollo` for a setting. */
export type SettingSupport =
  /** It means the same as in our own engine. */
  | { readonly kind: 'followed' }
  /** Other rules of this directory decide about it. */
  | { readonly kind: 'checked-apart' }
  /** It is about subscriptions and webhooks: without effect where they are omitted, refused elsewhere. */
  | { readonly kind: 'of-subscriptions' }
  /** It has no effect: any other value than the default, or one of those that ask for nothing, is refused. */
  | { readonly kind: 'absent'; readonly because: string; readonly off: readonly unknown[] };

const FOLLOWED: SettingSupport = { kind: 'followed' };
const CHECKED_APART: SettingSupport = { kind: 'checked-apart' };
const OF_SUBSCRIPTIONS: SettingSupport = { kind: 'of-subscriptions' };

const absent = (because: string, off: readonly unknown[] = []): SettingSupport => ({ kind: 'absent', because, off });

const NO_COST = 'the cost of operations and the size of pages are not estimated';
const NO_BUDGET = 'there are no budgets of callers';
const NO_CACHE = 'no responses and no entities are cached';
const READ_ONCE = 'the supergraph is read once, at the start';

/** Support by path; the first pattern that matches counts. A pattern that ends with `*` matches everything below it. */
export const SETTING_SUPPORT: readonly (readonly [pattern: string, support: SettingSupport])[] = [
  ['profile', FOLLOWED],
  ['server.*', FOLLOWED],
  ['supergraph.file', FOLLOWED],
  ['supergraph.sdl', FOLLOWED],
  ['supergraph.maxBytes', FOLLOWED],
  ['supergraph.url', CHECKED_APART],
  ['supergraph.headers.*', CHECKED_APART],
  ['supergraph.subgraphs.*', CHECKED_APART],
  ['supergraph.uplink.*', CHECKED_APART],
  ['supergraph.*', absent(READ_ONCE)],
  ['subgraphs.coalesce', absent('the stock gateway sends each fetch of its plans by itself', [false])],
  ['subgraphs.subscriptions.*', OF_SUBSCRIPTIONS],
  ['subgraphs.*', FOLLOWED],
  ['graphql.maxBatchedOperations', absent('batches are refused', [0])],
  ['graphql.maxCachedOperations', absent('Apollo Server has a cache of documents of its own')],
  ['graphql.maxCachedOperationBytes', absent('Apollo Server has a cache of documents of its own')],
  ['graphql.dedupe', absent('each operation is executed by itself', [false])],
  ['graphql.*', FOLLOWED],
  ['limits.modes.cost', CHECKED_APART],
  ['limits.modes.pageSize', CHECKED_APART],
  ['limits.maxCost', absent(NO_COST)],
  ['limits.tellCost', absent(NO_COST, [false])],
  ['limits.assumedListSize', absent(NO_COST)],
  ['limits.maxPageSize', absent(NO_COST)],
  ['limits.*', FOLLOWED],
  ['persisted.automatic', FOLLOWED],
  [
    'persisted.*',
    absent('there are no trusted documents, and Apollo Server keeps automatic persisted queries in a store of its own', ['off']),
  ],
  ['budget.mode', CHECKED_APART],
  ['budget.headers', absent(NO_BUDGET, [false])],
  ['budget.*', absent(NO_BUDGET)],
  ['cache.responses', absent(NO_CACHE, [false])],
  ['cache.entities', absent(NO_CACHE, [false])],
  ['cache.*', absent(NO_CACHE)],
  ['idempotency.*', absent('keys of REST requests are known in this process with the default settings, and GraphQL takes none')],
  ['redis.*', absent('nothing is shared with other processes')],
  ['auth.policyTimeoutMs', absent('@policy is not decided')],
  ['auth.*', FOLLOWED],
  ['identity.serviceSecret', absent('services cannot ask in the name of others')],
  ['identity.*', FOLLOWED],
  ['subscriptions.*', OF_SUBSCRIPTIONS],
  ['maintenance.*', FOLLOWED],
  ['logging.*', FOLLOWED],
  ['rest.webhooks', OF_SUBSCRIPTIONS],
  ['rest.*', FOLLOWED],
  ['engine.*', FOLLOWED],
];

/** @throws Error for a setting that nobody has decided about */
export function supportOf(path: string): SettingSupport {
  const found = SETTING_SUPPORT.find(([pattern]) => fits(pattern, path));
  if (found === undefined) throw new Error(`Nobody has decided what the engine "apollo" makes of the setting ${path}.`);
  return found[1];
}

export function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
