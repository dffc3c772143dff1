/** A reason, with the text of the error message that identifies it. */
export interface ExpectedDifference {
  readonly reason: string;
  readonly message: RegExp;
}

/** Valid reasons for which the gateway rejects a supergraph. */
export const REJECTIONS: readonly ExpectedDifference[] = [
  { reason: 'a version of connectors that the gateway does not support', message: /specs\.apollo\.dev\/connect\/v/ },
  { reason: 'no join specification', message: /does not link the join specification/ },
  { reason: 'an unknown type', message: /cannot be served: Unknown type/ },
  {
    reason: 'an undefined or misplaced directive',
    message: /cannot be served: (?:Unknown directive "@transport"|Directive "@cost" may not be used on)/,
  },
  {
    reason: '@authenticated without a link that defines it',
    message: /has @authenticated(?: \(line \d+\))?, but the schema links no feature/,
  },
];

/** Reasons for which no mocked subgraphs can be created for a supergraph that the gateway accepts. */
export const NOT_MOCKED: readonly ExpectedDifference[] = [
  { reason: 'Apollo cannot extract the subgraphs', message: /^Unexpected error extracting subgraphs/ },
  { reason: 'aliases in @requires', message: /aliases are not currently supported in @requires/ },
  {
    reason: '@listSize with an argument that is not an Int',
    message: /^(?:The schema is not a valid GraphQL schema.*\s+)?.*Slicing argument/,
  },
  { reason: 'an unused external field', message: /is marked @external but is not used/ },
  { reason: 'a required field that the subgraph does not name', message: /for @requires\(fields: .*: Cannot query field/ },
];

/** A supergraph in which some fields cannot be fetched. */
export interface CorruptSupergraph {
  /** Path of a file, or of a test file of which any set is meant. */
  readonly file: string;
  /** Errors that were checked by hand and follow from the supergraph. The stock planner must reject other failing operations as well. */
  readonly verified?: RegExp;
}

/**
 * Supergraphs with fields or keys that no subgraph resolves, and one that no data fit. Most of them cannot result from composition. The
 * gateway cannot plan some operations, and reports that.
 */
const CORRUPT: readonly CorruptSupergraph[] = [
  {
    file: 'apollographql/router/apollo-router/src/query_planner/testdata/schema.graphql',
    // No type implements its interfaces in any subgraph (`@join__implements` is missing), and Product has the key `Book.isbn` as external.
    verified:
      /cannot (?:fetch (?:Book|Furniture)\.|(?:enter|query) subgraph "\w+" (?:at|for values of) (?:Book|Furniture))|objects of type "\w+" can never be of type/,
  },
  { file: 'apollographql/router/apollo-router/src/uplink/testdata/override-manual-demo.graphql' },
  { file: 'apollographql/router/apollo-router/tests/fixtures/supergraph-auth.graphql' },
  { file: 'apollographql/router/apollo-router/tests/fixtures/valid-supergraph.graphql' },
  { file: 'graphql-hive/router/bin/router/fixture/tests/corrupted-supergraph-node-id.supergraph.graphql' },
  {
    file: 'wundergraph/cosmo/composition/tests/v1/directives/provides.test.ts',
    // `Object.name` is external in the only subgraph that has the object, and not provided there. The stock planner fetches it anyway.
    verified: /cannot fetch Object\.name/,
  },
  {
    file: 'wundergraph/cosmo/composition/tests/v1/types/unions.test.ts',
    // `Query.union` is shared. It is a MemberTwo in one subgraph and a MemberOne in the other, so no data fit both.
    verified: /expected .*(?:"MemberTwo"|"name").*got null/,
  },
];

/** Returns the failures that a supergraph causes itself, or undefined for most supergraphs. */
export function corruptionOf(file: string): CorruptSupergraph | undefined {
  return CORRUPT.find((known) => file === known.file || file.startsWith(`${known.file}:`));
}

/** Finds the reason of a message. */
export function reasonOf(reasons: readonly ExpectedDifference[], message: string): string | undefined {
  return reasons.find((known) => known.message.test(message))?.reason;
}

/** Reasons for which the gateway does not plan an operation that another planner plans. */
export const NOT_PLANNED: readonly ExpectedDifference[] = [{ reason: 'text that is not an operation', message: /^Syntax Error/ }];

/** Reasons for which no stock plan of an operation exists for comparison. */
export const NOT_COMPARED: readonly ExpectedDifference[] = [
  { reason: 'the stock planner cannot extract the subgraphs', message: /^Unexpected error extracting subgraphs|^Subgraph \w+ not found/ },
  { reason: 'the stock planner rejects aliases in @requires', message: /aliases are not currently supported in @requires/ },
  {
    reason: 'the stock planner rejects a required field that the subgraph does not name',
    message: /for @requires\(fields: .*: Cannot query field/,
  },
  { reason: 'the stock planner finds no path', message: /^stock: Was not able to find any options for / },
  { reason: 'the stock planner fails', message: /^stock: (?:Invalid array length|.* requested on .*, but .* is not an implementation)/ },
];

/** Reasons for which an operation of a test is not executed. */
export const NOT_EXECUTED: readonly ExpectedDifference[] = [
  { reason: 'text that is not an operation', message: /^Syntax Error/ },
  { reason: 'fields that conflict (GraphQL specification, 5.3.2)', message: /^Fields ".*" conflict because they return conflicting types/ },
];

/** Reasons for which the gateway rejects an operation that another planner plans. */
export const REJECTED_OPERATIONS: readonly ExpectedDifference[] = [
  {
    reason: 'a directive of subgraphs on a fragment, which is not sent unchanged',
    message:
      /The directive "@\w+" cannot be passed on to a subgraph: it is on (?:an inline fragment|a spread of|the definition of the fragment)/,
  },
];
