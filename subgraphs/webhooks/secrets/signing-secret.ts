import { randomBytes } from 'node:crypto';

/** Size of a secret. Standard Webhooks requires 24 to 64. @unit bytes */
const SECRET_BYTES = 32;

/** Generates a signing key in the format of Standard Webhooks for HMAC-SHA256: a prefix, then the key in base64. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
