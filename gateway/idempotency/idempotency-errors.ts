import { GatewayError } from '../platform/errors.ts';

/** Delay after which a client may retry. @unit seconds */
const SOON = { 'retry-after': '1' };

export function inProgress(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_IN_PROGRESS',
    'A request with this Idempotency-Key is still in progress. Retry later to receive its response.',
    {
      headers: SOON,
    },
  );
}

export function keyReused(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was already used for a different request. Use a new key for each new request.',
  );
}

/** Creates the error for an attempt whose effect is unknown. A retry might apply the effect twice. */
export function resultUnknown(): GatewayError {
  return new GatewayError(
    'OUTCOME_UNKNOWN',
    'A request with this Idempotency-Key was started, but its result is unknown. Check whether the change was applied before you retry with a new key.',
  );
}

/** Creates the error for a completed request whose response was not stored. */
export function responseNotStored(): GatewayError {
  return new GatewayError(
    'OUTCOME_UNKNOWN',
    'A request with this Idempotency-Key was completed, but its response was not stored because it was too large or must not be stored. Read the changed data instead.',
  );
}

export function storeUnavailable(): GatewayError {
  return new GatewayError(
    'IDEMPOTENCY_UNAVAILABLE',
    'The gateway cannot check at the moment whether it has already processed this Idempotency-Key. Try again later.',
    {
      headers: SOON,
    },
  );
}

/** Creates the error for a caller with too many stored keys. @param retryAfterMs delay for `Retry-After`. @unit milliseconds */
export function tooManyKeys(retryAfterMs: number): GatewayError {
  return new GatewayError('RATE_LIMITED', 'This caller has reached the maximum number of stored Idempotency-Keys. Try again later.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) },
  });
}

/** Creates the error for a key without credentials. Keys belong to authenticated callers. */
export function keyWithoutOwner(): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'An Idempotency-Key requires an authenticated caller. Send credentials with the request.');
}
