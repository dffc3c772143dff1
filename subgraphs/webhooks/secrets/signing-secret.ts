import { randomBytes } from 'node:crypto';

/** Standard Webhooks asks for 24 to 64. @unit bytes */
const SECRET_BYTES = 32;

/** A new key of signatures, as Standard Webhooks writes it for HMAC-SHA256: the prefix, then the key in base64. */
export function createSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
