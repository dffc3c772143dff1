import { createHmac } from 'node:crypto';

/** Signed parts of a message. */
export interface SignedContent {
  /** Value of the header `webhook-id`. */
  readonly id: string;
  /** Value of the header `webhook-timestamp`. @unit seconds since the epoch */
  readonly timestamp: number;
  readonly body: string;
}

const PREFIX = 'whsec_';

/**
 * Makes the header `webhook-signature` (Standard Webhooks 1.0, "Signature scheme"). It contains one signature per secret, separated by
 * spaces, so that a receiver can switch to a new secret at any time.
 *
 * @param secrets secrets with the prefix `whsec_`, followed by base64
 */
export function signMessage({ id, timestamp, body }: SignedContent, secrets: readonly string[]): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
}
