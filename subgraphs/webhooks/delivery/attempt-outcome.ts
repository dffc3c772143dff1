/**
 * Why an attempt was in vain, or a delivery came to its end without one, as this subgraph says it; stands in its record, for the owner.
 *
 * - `RECEIVER_GONE` 410 · `RECEIVER_THROTTLED` 429, 502, 503 or 504 · `RECEIVER_REDIRECTED` 3xx · `RECEIVER_REFUSED` any other status
 * - `RECEIVER_TIMEOUT` no answer in time · `RECEIVER_UNREACHABLE` no connection, no such name, a certificate that is not good
 * - `WEBHOOK_URL_FORBIDDEN` the name leads to an address that is not public
 * - `SECRET_UNREADABLE` no secret of the endpoint opens with the keys that are known here
 * - `OWNER_GONE`, `FORBIDDEN` the owner is not there any more, or has lost rights with which it was made
 * - `ENDPOINT_DISABLED` it waited when its endpoint was disabled · `PAYLOAD_TOO_LARGE` it is longer than messages may be
 *
 * Records hold other codes besides: what the gateway said of an event that was finished before it was begun (`Message.end`). `FORBIDDEN`
 * and `UNAUTHENTICATED` make it BLOCKED; with any other code of the gateway or its subgraphs it is DEAD.
 */
export type DeliveryCode =
  | 'RECEIVER_GONE'
  | 'RECEIVER_THROTTLED'
  | 'RECEIVER_REDIRECTED'
  | 'RECEIVER_REFUSED'
  | 'RECEIVER_TIMEOUT'
  | 'RECEIVER_UNREACHABLE'
  | 'WEBHOOK_URL_FORBIDDEN'
  | 'SECRET_UNREADABLE'
  | 'OWNER_GONE'
  | 'FORBIDDEN'
  | 'ENDPOINT_DISABLED'
  | 'PAYLOAD_TOO_LARGE';

/** What came of one attempt. */
export type AttemptOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly code: DeliveryCode;
      /** Absent where nobody answered, or was asked. */
      readonly status?: number;
      /** How long the receiver wants to be left alone. @unit milliseconds */
      readonly retryAfterMs?: number;
    }
  /** The receiver wants nothing more, ever. */
  | { readonly kind: 'gone'; readonly status: number }
  /** It must not be sent. */
  | { readonly kind: 'blocked'; readonly code: DeliveryCode }
  /** We stopped while it was under way: it is tried again, and does not count. */
  | { readonly kind: 'interrupted' };

const THROTTLING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** What an answer means. 2xx alone is success, and no redirect is followed: it may lead where we must not go. */
export function outcomeOf(status: number, retryAfterMs: number | undefined): AttemptOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'gone', status };
  if (THROTTLING.has(status)) {
    return { kind: 'failed', code: 'RECEIVER_THROTTLED', status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return { kind: 'failed', code: status >= 300 && status < 400 ? 'RECEIVER_REDIRECTED' : 'RECEIVER_REFUSED', status };
}
