import type { OperationFault } from '../operation/errors.ts';
import { OperationRefused } from '../operation/errors.ts';
import type { BytesResult, OperationError } from '../pipeline/operation-request.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { Reply } from '../platform/http/send-reply.ts';
import { NO_STORE } from '../platform/http/security-headers.ts';
import type { GraphqlMediaType } from './media-types.ts';
import { graphqlStatusOf } from './status.ts';

const COMMON_HEADERS = { ...NO_STORE, vary: 'Accept' } as const;

/** Headers by media type; never changed, so shared by all answers. */
const HEADERS: Readonly<Record<GraphqlMediaType, Readonly<Record<string, string>>>> = {
  'application/json': { ...COMMON_HEADERS, 'content-type': 'application/json; charset=utf-8' },
  'application/graphql-response+json': { ...COMMON_HEADERS, 'content-type': 'application/graphql-response+json; charset=utf-8' },
};

/** The answer to an operation that was executed, with or without errors. */
export function toResultReply({ body }: BytesResult, mediaType: GraphqlMediaType): Reply {
  return { status: 200, headers: HEADERS[mediaType], body };
}

/** The answer to a request that was refused: a GraphQL response with `errors` and no `data`. */
export function toRefusalReply(error: GatewayError, mediaType: GraphqlMediaType, requestId: string): Reply {
  const faults: readonly OperationFault[] = error instanceof OperationRefused ? error.faults : [error];
  const extensions = { code: error.code, requestId };
  const errors = faults.map(({ message, locations }): OperationError => {
    return locations === undefined || locations.length === 0 ? { message, extensions } : { message, locations, extensions };
  });
  const status = graphqlStatusOf(error.code, mediaType);
  return { status, headers: { ...HEADERS[mediaType], ...retryAfter(status), ...error.headers }, body: JSON.stringify({ errors }) };
}

/** A client that is told to come back is told when. @unit seconds */
function retryAfter(status: number): Readonly<Record<string, string>> {
  return status === 503 ? { 'retry-after': '1' } : {};
}
