import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getLocation, Source } from 'graphql';
import { locationInText } from '../../../../../gateway/operation/limits/admit-document.ts';

describe('locationInText', () => {
  it('returns the same location as graphql-js for any offset of any text', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '\u2028', 'é'), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), (body, at) => {
        const offset = at % (body.length + 1);
        fc.pre(body[offset - 1] !== '\r' || body[offset] !== '\n'); // No token begins between the two characters.
        expect(locationInText(body, offset)).toEqual(getLocation(new Source(body), offset));
      }),
      { numRuns: 2_000 },
    );
  });
});
