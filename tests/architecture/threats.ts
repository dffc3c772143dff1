/** Attacks on operation shape, persistence and caching. Each name begins the title of the tests against it. */
export const THREATS: readonly string[] = [
  'Body size and compressed bombs',
  'Charset tricks',
  'Token flood',
  'Deep nesting',
  'Alias overload',
  'Root and breadth overload',
  'Directive overload',
  'Field duplication',
  'Circular, unknown and unused fragments',
  'Batching',
  'Many operations in one document',
  'Cost bypass via variables',
  'Cost charged but work not done',
  'Plan-cache flooding',
  'Introspection leak',
  'Suggestions',
  'Federation internals',
  'Deep JSON variables',
  'Backtracking',
  'Hash mismatch',
  'Poisoned shared store',
  'Flooding of persisted queries',
  'Mutations and subscriptions by GET',
  'Requests forged across sites',
  'Cross-tenant cache leak',
  'Fetches shared between callers',
  'Plans of other operations',
  'Deceived caches and split responses',
];

/** Lists the threats without a test that is named after them. A skipped test does not count. */
export function untried(threats: readonly string[], sources: readonly string[]): readonly string[] {
  return threats.filter((threat) => !sources.some((source) => titleOf(threat).test(source)));
}

/** Matches the threat and a colon at the beginning of the title of a test or of a group. */
function titleOf(threat: string): RegExp {
  return new RegExp(`(?<![.\\w]skip|\\bxit|todo)\\(\\s*['"\`]${threat}: `);
}
