import { errors } from 'undici';
import { GatewayError } from '../platform/errors.ts';

const HEADERS = { 'retry-after': '1' };

/**
 * The three ways in which asking a subgraph can fail. The texts are constant: which subgraph it was, and what it said, is
 * in `cause` for the log and not for clients.
 */
export function subgraphUnavailable(cause: unknown): GatewayError {
  return new GatewayError('SUBGRAPH_UNAVAILABLE', 'A service behind this gateway cannot be reached.', { cause, headers: HEADERS });
}

export function subgraphTimeout(cause: unknown): GatewayError {
  return new GatewayError('SUBGRAPH_TIMEOUT', 'A service behind this gateway took too long to answer.', { cause, headers: HEADERS });
}

export function subgraphInvalidResponse(cause: unknown): GatewayError {
  const message = 'A service behind this gateway gave an answer that cannot be used.';
  return new GatewayError('SUBGRAPH_INVALID_RESPONSE', message, { cause, headers: HEADERS });
}

/** What the HTTP client threw, as one of the three: an answer that is not HTTP is nonsense, everything else is no answer. */
export function toSubgraphFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const isNonsense = error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError;
  return isNonsense ? subgraphInvalidResponse(error) : subgraphUnavailable(error);
}
