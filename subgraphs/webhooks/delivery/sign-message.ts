import { createHmac } from 'node:crypto';

/** What is signed. */
export interface SignedParts {
  /** `webhook-id`. */
  readonly id: string;
  /** `webhook-timestamp`. @unit seconds since the epoch */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';

/**
 * The header `webhook-signature` (Standard Webhooks 1.0, "Signature scheme"): one signature by each secret, with a space between them, so
 * that a receiver may go over from one secret to the next at any time.
 *
 * @param secrets `whsec_` and base64 after it
 */
export function signMessage({ id, timestamp, body }: SignedParts, secrets: readonly string[]): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}
