import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { printText } from '../../../../../gateway/execution/data/print-json.ts';

describe('printText', () => {
  it('writes any text so that it parses like the output of JSON.stringify', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.string({ maxLength: 90 }),
      fc.constantFrom('\ud800', '\u2028', '"', '\\', '\u007f', ''),
    );
    fc.assert(
      fc.property(
        texts,
        (text) => JSON.parse(printText(text)) === text && (/\p{Cc}/u.test(text) || printText(text) === JSON.stringify(text)),
      ),
      { numRuns: 2_000 },
    );
  });
});
