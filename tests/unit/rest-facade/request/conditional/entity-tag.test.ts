import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  contentTag,
  formatTag,
  inCoding,
  parseTag,
  variantOf,
  versionIn,
  versionTag,
  versionedContentTag,
} from '../../../../../rest-facade/request/conditional/entity-tag.ts';

const strong = (opaque: string) => ({ opaque, isWeak: false });

describe('entity tags (RFC 9110, section 8.8.3)', () => {
  it.each(['', '7', '-7', '7-', '7-xyz', '7-abcdef0', '7-abcdef-zstd', '%-abcdef', contentTag('a'), `${contentTag('a')}-br`])(
    'given the tag %s, when a version is looked for, then there is none',
    (opaque) => {
      expect(versionIn(strong(opaque))).toBeUndefined();
    },
  );

  it('given a weak tag, when a version is looked for, then there is none: it does not say that all is the same', () => {
    expect(versionIn({ opaque: versionTag('7', variantOf('x')), isWeak: true })).toBeUndefined();
  });

  it('given any version, when written into a tag of any form and coding, then the header has no other character, and it is found again', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.string(),
        fc.constantFrom(undefined, 'br', 'gzip'),
        (version, form, coding) => {
          const variant = variantOf(form);
          for (const opaque of [versionTag(version, variant), versionedContentTag(version, variant, form)]) {
            const plain = formatTag(opaque, false);
            const header = coding === undefined ? plain : inCoding(plain, coding);
            expect(header).toMatch(/^"[\x21\x23-\x7e]+"$/);
            expect(versionIn(parseTag(header))).toBe(version);
          }
        },
      ),
    );
  });

  it('given a version, when it is shown in another form, with other content or in another coding, then its tag is another one', () => {
    const tags = [
      versionTag('7', variantOf('a')),
      versionTag('7', variantOf('b')),
      versionTag('8', variantOf('a')),
      versionedContentTag('7', variantOf('a'), 'x'),
      versionedContentTag('7', variantOf('a'), 'y'),
      versionedContentTag('7', variantOf('b'), 'x'),
      contentTag('x'),
      contentTag('y'),
    ].map((opaque) => formatTag(opaque, false));
    const all = tags.flatMap((tag) => [tag, inCoding(tag, 'br'), inCoding(tag, 'gzip')]);
    expect(new Set(all).size).toBe(all.length);
  });
});
