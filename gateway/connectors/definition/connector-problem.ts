/** Codes of mistakes in `@source` and `@connect`. Codes that the federation specification names have its names. */
export type ConnectorProblemCode =
  | 'ABSOLUTE_CONNECT_URL_WITH_SOURCE'
  | 'CIRCULAR_REFERENCE'
  | 'CONNECTORS_BATCH_KEY_NOT_IN_SELECTION'
  | 'CONNECTORS_CANNOT_RESOLVE_KEY'
  | 'CONNECTORS_FIELD_WITH_ARGUMENTS'
  | 'CONNECTORS_NON_ROOT_BATCH_KEY'
  | 'CONNECTORS_UNRESOLVED_FIELD'
  | 'CONNECTORS_UNSUPPORTED_ABSTRACT_TYPE'
  | 'CONNECTORS_UNSUPPORTED_FEDERATION_DIRECTIVE'
  | 'CONNECT_BATCH_AND_THIS'
  | 'CONNECT_ON_ROOT'
  | 'CONNECT_ON_TYPE_MUST_BE_ENTITY'
  | 'DUPLICATE_CONNECTOR_ID'
  | 'DUPLICATE_SOURCE_NAME'
  | 'EMPTY_SOURCE_NAME'
  | 'ENTITY_NOT_ON_ROOT_QUERY'
  | 'ENTITY_RESOLVER_ARGUMENT_MISMATCH'
  | 'ENTITY_TYPE_INVALID'
  | 'GROUP_SELECTION_IS_NOT_OBJECT'
  | 'GROUP_SELECTION_REQUIRED_FOR_OBJECT'
  | 'HTTP_HEADER_NAME_COLLISION'
  | 'INVALID_BATCH'
  | 'INVALID_BODY'
  | 'INVALID_CONNECTOR_ID'
  | 'INVALID_ERRORS'
  | 'INVALID_GRAPHQL'
  | 'INVALID_HEADER'
  | 'INVALID_IS_SUCCESS'
  | 'INVALID_SELECTION'
  | 'INVALID_SOURCE_NAME'
  | 'INVALID_URL'
  | 'INVALID_URL_PROPERTY'
  | 'INVALID_URL_SCHEME'
  | 'MISSING_ENTITY_CONNECTOR'
  | 'MISSING_HTTP_METHOD'
  | 'MULTIPLE_HTTP_METHODS'
  | 'NO_SOURCES_DEFINED'
  | 'NO_SOURCE_IMPORT'
  | 'RELATIVE_CONNECT_URL_WITHOUT_SOURCE'
  | 'SELECTED_FIELD_NOT_FOUND'
  | 'SOURCE_NAME_MISMATCH'
  | 'SUBSCRIPTION_IN_CONNECTORS'
  | 'UNKNOWN_CONNECTORS_VERSION';

/** A mistake in the connectors of a subgraph. */
export interface ConnectorProblem {
  readonly code: ConnectorProblemCode;
  /** Mistake with its coordinate, and what was expected. */
  readonly message: string;
  /** Positions in the files of the subgraph, the first one at the mistake. Empty for documents without locations. */
  readonly locations: readonly { readonly file: string; readonly line: number; readonly column: number }[];
}
