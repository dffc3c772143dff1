import { GatewayError } from '../platform/errors.ts';

/** A client that is told to come back is told when. @unit seconds */
const SOON = { 'retry-after': '1' };

export function inProgress(): GatewayError {
  return new GatewayError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is under way. Ask again for what it came to.', {
    headers: SOON,
  });
}

export function keyReused(): GatewayError {
  return new GatewayError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request. Make a new key for a new request.');
}

/** Nobody can tell whether a first attempt had its effect, and to try again might have it twice. */
export function outcomeUnknown(): GatewayError {
  return new GatewayError(
    'OUTCOME_UNKNOWN',
    'A request with this Idempotency-Key was begun, and nobody can tell what came of it. Read what it should have changed; then use a new key.',
  );
}

/** It was done, and what was answered is no longer there. */
export function answerNotKept(): GatewayError {
  return new GatewayError(
    'OUTCOME_UNKNOWN',
    'A request with this Idempotency-Key was carried out, and its answer was not kept: it was too large, or not to be kept by anybody. Read what it has changed.',
  );
}

export function storeUnavailable(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_UNAVAILABLE',
    'Nobody can tell at the moment whether this request was made before. Try again later.',
    {
      headers: SOON,
    },
  );
}

/** @unit milliseconds */
export function tooManyKeys(retryAfterMs: number): GatewayError {
  return new GatewayError('RATE_LIMITED', 'This caller has as many live Idempotency-Keys as it may.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  });
}

/** Without credentials there is nobody whose key it could be. */
export function keyWithoutOwner(): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'An Idempotency-Key belongs to a caller: sign in to use one here.');
}
