/** What scrypt costs (RFC 7914, section 2). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** What is known of a password. */
export interface PasswordHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** The form in which password hashes are passed around: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`, both in base64 without padding. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43})$/;

/** Below, passwords are found by trying; above, one login takes a second and more than 128 MiB. */
const LN_RANGE = [14, 17] as const;

/** @throws Error that names the user and not the hash */
export function parsePasswordHash(text: string, name: string): PasswordHash {
  const [, ln, r, p, salt = '', key = ''] = PHC.exec(text) ?? [];
  const isKnown = Number(r) === 8 && Number(p) >= 1 && Number(p) <= 4;
  if (Number(ln) < LN_RANGE[0] || Number(ln) > LN_RANGE[1] || !isKnown) {
    throw new Error(
      `the password of "${name}" must be a hash of the form $scrypt$ln=15,r=8,p=1$<salt>$<key>, with ln from ${LN_RANGE.join(' to ')}, r=8 and p from 1 to 4`,
    );
  }
  return {
    cost: { N: 2 ** Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}
