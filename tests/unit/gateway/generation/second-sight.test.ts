import { describe, expect, it } from '@jest/globals';
import { createSecondSight } from '../../../../gateway/generation/prepared-document.ts';

describe('createSecondSight', () => {
  it('given texts that differ in one character, when each is seen for the first time, then hardly one is taken for another', () => {
    const wasSeen = createSecondSight();
    const texts = Array.from({ length: 10_000 }, (_none, index) => `{ a${1_000_000 + index}: name }`);
    expect(texts.filter(wasSeen).length).toBeLessThan(3);
  });

  it('given a text that comes again soon, then it was seen', () => {
    const wasSeen = createSecondSight();
    expect(wasSeen('{ me { name } }')).toBe(false);
    expect(wasSeen('{ me { id } }')).toBe(false);
    expect(wasSeen('{ me { name } }')).toBe(true);
    expect(wasSeen('')).toBe(false);
    expect(wasSeen('')).toBe(true);
  });
});
