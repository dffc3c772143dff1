import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SecretUnreadable, createSecretBox } from '../../../../../subgraphs/webhooks/secrets/secret-box.ts';

const [NEW, OLD] = ['n'.repeat(32), 'o'.repeat(32)];
const TEXT = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The text with one bit of its last part turned. */
function turned(sealed: string, place: number): string {
  const [version, name, content = ''] = sealed.split('.');
  const bytes = Buffer.from(content, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(place % bytes.length) ^ 1, place % bytes.length);
  return [version, name, bytes.toString('base64url')].join('.');
}

describe('a secret box', () => {
  it('given no key, when made, then it is refused', () => {
    expect(() => createSecretBox([])).toThrow('At least one key is required to encrypt secrets.');
  });

  it('given a text of another key, when opened, then the sentence says which variable to look at, and tells nothing of keys or texts', () => {
    const sealed = createSecretBox([OLD]).seal(TEXT, 'endpoint 1');
    expect(() => createSecretBox([NEW]).open(sealed, 'endpoint 1')).toThrow(
      /^A secret was encrypted with another key\. .*GATEFOLD_WEBHOOKS_KEY/,
    );
    for (const hidden of [TEXT, NEW, OLD]) expect(sealed).not.toContain(hidden);
  });

  it('given a sealed text, when it stands at another place, is cut or has one bit turned, then it is not opened', () => {
    const box = createSecretBox([NEW]);
    const sealed = box.seal(TEXT, 'endpoint 1');
    expect(() => box.open(sealed, 'endpoint 2')).toThrow(SecretUnreadable);
    for (const cut of ['', 'v1', 'v1..', sealed.slice(0, -1), sealed.slice(0, 20), sealed.replace('v1', 'v2')]) {
      expect(() => box.open(cut, 'endpoint 1')).toThrow(SecretUnreadable);
    }
    const length = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').length;
    for (let place = 0; place < length; place++) expect(() => box.open(turned(sealed, place), 'endpoint 1')).toThrow(SecretUnreadable);
  });

  it('given any text and place, when sealed twice, then the results differ, and both open to it', () => {
    const box = createSecretBox([NEW]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        const [one, other] = [box.seal(text, place), box.seal(text, place)];
        expect(one).not.toBe(other);
        expect([box.open(one, place), box.open(other, place)]).toEqual([text, text]);
      }),
    );
  });

  it('given a new key before the old one, when used, then what the old one sealed opens, and what is sealed now takes the new one', () => {
    const both = createSecretBox([NEW, OLD]);
    expect(both.open(createSecretBox([OLD]).seal(TEXT, 'p'), 'p')).toBe(TEXT);
    expect(createSecretBox([NEW]).open(both.seal(TEXT, 'p'), 'p')).toBe(TEXT);
  });
});
