import { type ErrorCode, statusOf } from '../platform/errors.ts';
import type { GraphqlMediaType } from './media-types.ts';

/**
 * Refusals of a well-formed request whose operation cannot be executed. Under `application/json` they are answered with
 * 200, because there a client cannot tell our status from that of something in between
 * (GraphQL over HTTP, section "Status Codes").
 */
const OPERATION_REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'INTROSPECTION_DISABLED',
  'TOKEN_LIMIT_EXCEEDED',
  'DEPTH_LIMIT_EXCEEDED',
  'ALIAS_LIMIT_EXCEEDED',
  'ROOT_FIELD_LIMIT_EXCEEDED',
  'SELECTION_LIMIT_EXCEEDED',
  'DIRECTIVE_LIMIT_EXCEEDED',
  'COST_LIMIT_EXCEEDED',
]);

/** HTTP status of a `/graphql` answer in which no part of the operation ran. */
export function graphqlStatusOf(code: ErrorCode, mediaType: GraphqlMediaType): number {
  return mediaType === 'application/json' && OPERATION_REFUSALS.has(code) ? 200 : statusOf(code);
}
