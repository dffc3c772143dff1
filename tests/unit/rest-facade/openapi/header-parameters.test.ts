import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { readIdempotencyKey } from '../../../../gateway/platform/http/read-idempotency-key.ts';
import { HEADER_PARAMETERS } from '../../../../rest-facade/openapi/header-parameters.ts';
import { readPreconditions } from '../../../../rest-facade/request/read-preconditions.ts';

const { IdempotencyKey, IfMatch, IfNoneMatch } = HEADER_PARAMETERS;

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** What has the pattern, and what nearly has it. */
const near = (pattern: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('"', '\\', 'W/', 'a', '-', ' ', ',', ';', '*', '\u007f'), maxLength: 8 }),
  );

describe('patterns of headers', () => {
  it('given a key that is described, when it is sent, then it is read; and given one that is not, then it is refused', () => {
    const pattern = new RegExp(IdempotencyKey.schema.pattern, 'u');
    fc.assert(fc.property(near(IdempotencyKey.schema.pattern), (key) => isRead(() => readIdempotencyKey(key)) === pattern.test(key)));
  });

  it.each([
    ['if-match', IfMatch],
    ['if-none-match', IfNoneMatch],
  ])('given a list of tags for %s that is described, when it is sent, then it is read', (name, { schema }) => {
    const described = fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength: 60 });
    fc.assert(fc.property(described, (tags) => isRead(() => readPreconditions({ [name]: tags }, false))));
  });

  it.each(['x', '"a', '"a" "b"', '"a b"', 'w/"a"', '"a",*', '"\u007f"', ''])(
    'given the tags %s, when they are sent, then they are neither described nor read',
    (tags) => {
      expect(new RegExp(IfMatch.schema.pattern, 'u').test(tags)).toBe(false);
      expect(isRead(() => readPreconditions({ 'if-match': tags }, false))).toBe(false);
    },
  );
});
