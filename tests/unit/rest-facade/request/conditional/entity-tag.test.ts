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
    'the tag %s contains no version',
    (opaque) => {
      expect(versionIn(strong(opaque))).toBeUndefined();
    },
  );

  it('a weak tag contains no version, because it does not identify all content', () => {
    expect(versionIn({ opaque: versionTag('7', variantOf('x')), isWeak: true })).toBeUndefined();
  });

  it('a version can be read from its tag with any representation and coding', () => {
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

  it('each representation, content and coding of a version has its own tag', () => {
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
