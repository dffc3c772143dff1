/** A reason with the text of the message that gives it. */
export interface KnownReason {
  readonly reason: string;
  readonly message: RegExp;
}

/** True reasons for which the gateway refuses a supergraph. */
export const REFUSALS: readonly KnownReason[] = [
  { reason: 'connectors, which the gateway does not call', message: /specs\.apollo\.dev\/connect\/v0/ },
  { reason: 'no join specification', message: /does not link the join specification/ },
  { reason: 'an unknown type', message: /cannot be served: Unknown type/ },
  {
    reason: 'an undefined or misplaced directive',
    message: /cannot be served: (?:Unknown directive "@transport"|Directive "@cost" may not be used on)/,
  },
  { reason: '@authenticated without a link that defines it', message: /has @authenticated, and no feature that the schema links/ },
];

/** Reasons for which no mocked subgraphs can be made of a supergraph that the gateway takes. */
export const NOT_MOCKED: readonly KnownReason[] = [
  { reason: 'Apollo cannot extract the subgraphs', message: /^Unexpected error extracting subgraphs/ },
  { reason: 'aliases in @requires', message: /aliases are not currently supported in @requires/ },
  { reason: '@listSize with an argument that is no Int', message: /^(?:The schema is not a valid GraphQL schema.*\s+)?.*Slicing argument/ },
  { reason: 'an external field without use', message: /is marked @external but is not used/ },
  { reason: 'a required field that the subgraph does not name', message: /for @requires\(fields: .*: Cannot query field/ },
];

/** A supergraph that no composition makes. */
export interface CorruptSupergraph {
  readonly file: string;
  /** Failures that were read by hand and follow from the supergraph; others must be refused by the stock planner as well. */
  readonly verified?: RegExp;
}

/**
 * Supergraphs that no composition makes: fields or keys that no subgraph resolves. The gateway has no way to plan some
 * operations, and says so.
 */
export const CORRUPT: readonly CorruptSupergraph[] = [
  {
    file: 'apollographql/router/apollo-router/src/query_planner/testdata/schema.graphql',
    // No type implements its interfaces in any subgraph (`@join__implements` is missing), and Product has the key `Book.isbn` as external.
    verified: /no way to get Book\.price|objects of type "Vehicle" can never be of type/,
  },
  { file: 'apollographql/router/apollo-router/src/uplink/testdata/override-manual-demo.graphql' },
  { file: 'apollographql/router/apollo-router/tests/fixtures/supergraph-auth.graphql' },
  { file: 'apollographql/router/apollo-router/tests/fixtures/valid-supergraph.graphql' },
  { file: 'graphql-hive/router/bin/router/fixture/tests/corrupted-supergraph-node-id.supergraph.graphql' },
];

/** Finds the reason of a message. */
export function reasonOf(reasons: readonly KnownReason[], message: string): string | undefined {
  return reasons.find((known) => known.message.test(message))?.reason;
}

/** Reasons for which the gateway does not plan an operation that a peer plans. */
export const NOT_PLANNED: readonly KnownReason[] = [{ reason: 'text that is no operation', message: /^Syntax Error/ }];
