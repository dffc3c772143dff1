import { GraphQLError, type SourceLocation } from 'graphql';
import { type OperationFault, OperationRefused } from '../operation/errors.ts';
import type { OperationError } from '../pipeline/operation-request.ts';
import type { GatewayError } from '../platform/errors.ts';

/** An entry of `errors` as an error that Apollo Server formats. */
export function toGraphqlError({ message, locations, path, extensions }: OperationError): GraphQLError {
  return withLocations(new GraphQLError(message, { ...(path === undefined ? {} : { path }), extensions: { ...extensions } }), locations);
}

/**
 * A refusal as errors that Apollo Server formats. `extensions.http` is how it learns of status and headers; it takes it out
 * before the client sees it.
 */
export function toRefusalErrors(refusal: GatewayError, requestId: string): readonly GraphQLError[] {
  const faults: readonly OperationFault[] = refusal instanceof OperationRefused ? refusal.faults : [{ message: refusal.message }];
  const http = { status: refusal.status, headers: new Map(Object.entries(refusal.headers)) };
  return faults.map(({ message, locations, cost }) => {
    const extensions = { code: refusal.code, requestId, ...(cost === undefined ? {} : { cost }), http };
    return withLocations(new GraphQLError(message, { originalError: refusal, extensions }), locations);
  });
}

/** graphql-js would work them out from the source; we were told them. */
function withLocations(error: GraphQLError, locations: readonly SourceLocation[] | undefined): GraphQLError {
  return locations === undefined || locations.length === 0 ? error : Object.assign(error, { locations });
}
