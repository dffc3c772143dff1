import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts that are stored in a database. */
export interface SecretBox {
  /**
   * Encrypts a text. Two calls with the same text have different results. `purpose` is its location; the text can be decrypted only with the
   * same location.
   */
  seal(text: string, purpose: string): string;
  /** Decrypts a text. @throws SecretUnreadable when its key is not configured, its location differs, or it was modified */
  open(sealed: string, purpose: string): string;
}

/** Thrown for a text that cannot be decrypted; a retry has the same result. The message is for the operator. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';

/** Recommended nonce size of GCM (NIST SP 800-38D, section 5.2.1.1), and the size of a full tag. @unit bytes */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** Name that identifies the key of a text without revealing it. */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Creates a box with AES-256-GCM and keys that are derived from passphrases. The first key encrypts, and all keys decrypt: put a new key
 * before the old one, which can be removed once no text is encrypted with it.
 *
 * @throws Error without a passphrase
 */
export function createSecretBox(passphrases: readonly string[]): SecretBox {
  const keys = passphrases.map(toKey);
  const [sealing] = keys;
  if (sealing === undefined) throw new Error('At least one key is required to encrypt secrets.');
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return [VERSION, sealing.name, Buffer.concat(parts).toString('base64url')].join('.');
    },
    open(sealed, purpose) {
      const [version, name, content = ''] = sealed.split('.');
      const key = keys.find((candidate) => candidate.name === name);
      if (version !== VERSION || key === undefined) {
        throw new SecretUnreadable(
          'A secret was encrypted with another key. Append the former key to GATEFOLD_WEBHOOKS_KEY, after a comma.',
        );
      }
      try {
        return decrypt(key, Buffer.from(content, 'base64url'), purpose);
      } catch (cause) {
        throw new SecretUnreadable('A secret was modified or moved after it was encrypted. Its owner must rotate it.', {
          cause,
        });
      }
    },
  };
}

function decrypt(key: Key, bytes: Buffer, purpose: string): string {
  const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
}

function toKey(passphrase: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', passphrase, '', 'gatefold webhooks: secrets at rest', 32));
  return { name: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}
