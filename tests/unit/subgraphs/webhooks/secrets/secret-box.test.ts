import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretUnreadable, createSecretBox } from '../../../../../subgraphs/webhooks/secrets/secret-box.ts';

const [NEW, OLD] = ['n'.repeat(32), 'o'.repeat(32)];
const TEXT = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The sealed text with one bit of its content flipped. */
function turned(sealed: string, position: number): string {
  const [version, name, content = ''] = sealed.split('.');
  const bytes = Buffer.from(content, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(position % bytes.length) ^ 1, position % bytes.length);
  return [version, name, bytes.toString('base64url')].join('.');
}

describe('a secret box', () => {
  it('rejects an empty list of keys', () => {
    expect(() => createSecretBox([])).toThrow('At least one key is required to encrypt secrets.');
  });

  it('names the variable to check, and no secret, when the key is another one', () => {
    const sealed = createSecretBox([OLD]).seal(TEXT, 'endpoint 1');
    expect(() => createSecretBox([NEW]).open(sealed, 'endpoint 1')).toThrow(
      /^A secret was encrypted with another key\. .*GATEFOLD_WEBHOOKS_KEY/,
    );
    for (const hidden of [TEXT, NEW, OLD]) expect(sealed).not.toContain(hidden);
  });

  it('does not open a text that is moved, truncated or changed by one bit', () => {
    const box = createSecretBox([NEW]);
    const sealed = box.seal(TEXT, 'endpoint 1');
    expect(() => box.open(sealed, 'endpoint 2')).toThrow(SecretUnreadable);
    for (const cut of ['', 'v1', 'v1..', sealed.slice(0, -1), sealed.slice(0, 20), sealed.replace('v1', 'v2')]) {
      expect(() => box.open(cut, 'endpoint 1')).toThrow(SecretUnreadable);
    }
    const length = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').length;
    for (let position = 0; position < length; position++)
      expect(() => box.open(turned(sealed, position), 'endpoint 1')).toThrow(SecretUnreadable);
  });

  it('seals a text differently each time, and opens both results', () => {
    const box = createSecretBox([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, position) => {
        const [one, other] = [box.seal(text, position), box.seal(text, position)];
        expect(one).not.toBe(other);
        expect([box.open(one, position), box.open(other, position)]).toEqual([text, text]);
      }),
    );
  });

  it('opens texts of the old key and seals with the new one during a rotation', () => {
    const both = createSecretBox([NEW, OLD]);
    expect(both.open(createSecretBox([OLD]).seal(TEXT, 'p'), 'p')).toBe(TEXT);
    expect(createSecretBox([NEW]).open(both.seal(TEXT, 'p'), 'p')).toBe(TEXT);
  });
});
