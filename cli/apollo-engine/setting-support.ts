/** Support of the engine `apollo` for a setting. */
export type SettingSupport =
  /** Same meaning as in the Gatefold engine. */
  | { readonly kind: 'followed' }
  /** Checked by another module of this directory. */
  | { readonly kind: 'checked-apart' }
  /** Related to subscriptions and webhooks: ignored if they are omitted, otherwise rejected. */
  | { readonly kind: 'of-subscriptions' }
  /** No effect: every value is rejected, except the default and the values in `off`. */
  | { readonly kind: 'absent'; readonly because: string; readonly off: readonly unknown[] };

const FOLLOWED: SettingSupport = { kind: 'followed' };
const CHECKED_APART: SettingSupport = { kind: 'checked-apart' };
const OF_SUBSCRIPTIONS: SettingSupport = { kind: 'of-subscriptions' };

const absent = (because: string, off: readonly unknown[] = []): SettingSupport => ({ kind: 'absent', because, off });

const NO_COST = 'the cost of operations and the size of pages are not estimated';
const NO_BUDGET = 'budgets of callers are not supported';
const NO_CACHE = 'no responses and no entities are cached';
const READ_ONCE = 'the supergraph is read only at the start';

/** Support by path. The first matching pattern applies. A pattern that ends with `*` matches everything below it. */
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
  ['subgraphs.coalesce', absent('the stock gateway sends each fetch of its plans separately', [false])],
  ['subgraphs.subscriptions.*', OF_SUBSCRIPTIONS],
  ['subgraphs.*', FOLLOWED],
  ['connectors.*', FOLLOWED],
  ['graphql.maxBatchedOperations', absent('batches are rejected', [0])],
  ['graphql.maxCachedOperations', absent('Apollo Server uses its own document cache')],
  ['graphql.maxCachedOperationBytes', absent('Apollo Server uses its own document cache')],
  ['graphql.dedupe', absent('each operation is executed separately', [false])],
  ['graphql.*', FOLLOWED],
  ['limits.modes.cost', CHECKED_APART],
  ['limits.modes.pageSize', CHECKED_APART],
  ['limits.maxCost', absent(NO_COST)],
  ['limits.exposeCost', absent(NO_COST, [false])],
  ['limits.assumedListSize', absent(NO_COST)],
  ['limits.maxPageSize', absent(NO_COST)],
  ['limits.slicingArguments', absent(NO_COST)],
  ['limits.*', FOLLOWED],
  ['persisted.automatic', FOLLOWED],
  ['persisted.*', absent('trusted documents are not supported, and Apollo Server stores automatic persisted queries itself', ['off'])],
  ['budget.mode', CHECKED_APART],
  ['budget.anonymous.mode', CHECKED_APART],
  ['budget.headers', absent(NO_BUDGET, [false])],
  ['budget.*', absent(NO_BUDGET)],
  ['cache.responses', absent(NO_CACHE, [false])],
  ['cache.entities', absent(NO_CACHE, [false])],
  ['cache.*', absent(NO_CACHE)],
  [
    'idempotency.*',
    absent('idempotency keys of REST requests are stored in this process with the default settings, and GraphQL requests have none'),
  ],
  ['redis.*', absent('no data is shared with other processes')],
  ['auth.policyTimeoutMs', absent('@policy is not evaluated')],
  ['auth.*', FOLLOWED],
  ['identity.serviceSecret', absent('services cannot send requests on behalf of users')],
  ['identity.*', FOLLOWED],
  ['subscriptions.*', OF_SUBSCRIPTIONS],
  ['maintenance.*', FOLLOWED],
  ['responses.*', absent('headers and extensions of subgraphs are dropped')],
  ['hooks.modules', absent('hooks belong to the pipeline of the Gatefold engine')],
  ['hooks.*', FOLLOWED],
  ['reload.*', absent('the configuration is read only at the start', [false])],
  ['logging.*', FOLLOWED],
  ['telemetry.*', absent('requests are not recorded', ['off', false])],
  ['rest.webhooks', OF_SUBSCRIPTIONS],
  ['rest.*', FOLLOWED],
  ['engine.*', FOLLOWED],
];

/** Returns the support for a setting. @throws Error for a setting without an entry */
export function supportOf(path: string): SettingSupport {
  const found = SETTING_SUPPORT.find(([pattern]) => fits(pattern, path));
  if (found === undefined) throw new Error(`SETTING_SUPPORT has no entry for the setting ${path}.`);
  return found[1];
}

export function fits(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
