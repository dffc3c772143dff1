import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps texts in a database that must not tell them. */
export interface SecretBox {
  /** The same text sealed twice gives two results. `place` is where it will stand: it can be opened there alone. */
  seal(text: string, place: string): string;
  /** @throws SecretUnreadable when it was sealed with a key that is not known here, for another place, or changed since */
  open(sealed: string, place: string): string;
}

/** A text does not open here, today as tomorrow. The message says what to do, in words for whoever runs this. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';

/** What GCM is made for (NIST SP 800-38D, section 5.2.1.1), and its whole tag. @unit bytes */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** Tells which key opens a text, and nothing else of it. */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM under keys made of passphrases. The first one seals, all of them open: a new one is put before the old, which may go once
 * nothing is sealed with it.
 *
 * @throws Error without a passphrase
 */
export function createSecretBox(passphrases: readonly string[]): SecretBox {
  const keys = passphrases.map(toKey);
  const [sealing] = keys;
  if (sealing === undefined) throw new Error('A secret box needs a key.');
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, sealing.bytes, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return [VERSION, sealing.name, Buffer.concat(parts).toString('base64url')].join('.');
    },
    open(sealed, place) {
      const [version, name, content = ''] = sealed.split('.');
      const key = keys.find((candidate) => candidate.name === name);
      if (version !== VERSION || key === undefined) {
        throw new SecretUnreadable(
          'A secret was sealed with another key. Put the key of that time behind the one in GATEFOLD_WEBHOOKS_KEY, with a comma.',
        );
      }
      try {
        return decrypt(key, Buffer.from(content, 'base64url'), place);
      } catch (cause) {
        throw new SecretUnreadable('A secret was changed since it was sealed, or is not where it was put: its owner needs another one.', {
          cause,
        });
      }
    },
  };
}

function decrypt(key: Key, bytes: Buffer, place: string): string {
  const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
}

function toKey(passphrase: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', passphrase, '', 'gatefold webhooks: secrets at rest', 32));
  return { name: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}
