import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getLocation, Source } from 'graphql';
import { placeInText } from '../../../../../gateway/operation/limits/admit-document.ts';

describe('placeInText', () => {
  it('given any place in any text, when it is told, then it is where graphql-js puts it', () => {
    const text = fc.array(fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '\u2028', 'é'), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), (body, at) => {
        const offset = at % (body.length + 1);
        fc.pre(body[offset - 1] !== '\r' || body[offset] !== '\n'); // no token begins between the two
        expect(placeInText(body, offset)).toEqual(getLocation(new Source(body), offset));
      }),
      { numRuns: 2_000 },
    );
  });
});
