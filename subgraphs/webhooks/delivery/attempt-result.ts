/**
 * Reason why an attempt failed, or why a delivery ended without one. The owner can read it in the record of the delivery.
 *
 * - `RECEIVER_GONE` 410 · `RECEIVER_THROTTLED` 429, 502, 503 or 504 · `RECEIVER_REDIRECTED` 3xx · `RECEIVER_REFUSED` any other status
 * - `RECEIVER_TIMEOUT` no response in time · `RECEIVER_UNREACHABLE` no connection, unknown host name, or invalid certificate
 * - `WEBHOOK_URL_FORBIDDEN` the host name has an address that is not public
 * - `SECRET_UNREADABLE` no secret of the endpoint can be decrypted with the configured keys
 * - `OWNER_GONE`, `FORBIDDEN` the owner no longer exists, or has lost permissions with which the message was created
 * - `ENDPOINT_DISABLED` the delivery was waiting when its endpoint was disabled · `PAYLOAD_TOO_LARGE` it exceeds the maximum size
 *
 * Records can also contain error codes of the gateway, for events that ended without an attempt (`Message.end`). `FORBIDDEN` and
 * `UNAUTHENTICATED` make a delivery BLOCKED; any other code of the gateway or its subgraphs makes it DEAD.
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

/** Result of one attempt. */
export type AttemptResult =
  | { readonly kind: 'delivered'; readonly status: number }
  | {
      readonly kind: 'failed';
      readonly code: DeliveryCode;
      /** HTTP status; absent when the receiver did not respond or no request was sent. */
      readonly status?: number;
      /** Delay that the receiver requests. @unit milliseconds */
      readonly retryAfterMs?: number;
    }
  /** The receiver wants no further messages. */
  | { readonly kind: 'gone'; readonly status: number }
  /** The message must not be sent. */
  | { readonly kind: 'blocked'; readonly code: DeliveryCode }
  /** The process stopped during the attempt. It is repeated and not counted. */
  | { readonly kind: 'interrupted' };

const THROTTLING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Classifies a response. Only 2xx is a success. Redirects are not followed, because they may lead to a forbidden address. */
export function resultOf(status: number, retryAfterMs: number | undefined): AttemptResult {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'gone', status };
  if (THROTTLING.has(status)) {
    return { kind: 'failed', code: 'RECEIVER_THROTTLED', status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  return { kind: 'failed', code: status >= 300 && status < 400 ? 'RECEIVER_REDIRECTED' : 'RECEIVER_REFUSED', status };
}
