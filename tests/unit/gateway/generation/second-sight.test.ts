import { describe, expect, it } from '@jest/globals';
import { createSecondSight } from '../../../../gateway/generation/prepared-document.ts';

describe('doorkeeper of document texts', () => {
  it('rarely confuses new texts that differ in one character', () => {
    const wasSeen = createSecondSight();
    const texts = Array.from({ length: 10_000 }, (_none, index) => `{ a${1_000_000 + index}: name }`);
    expect(texts.filter(wasSeen).length).toBeLessThan(3);
  });

  it('recognizes a text that is seen again soon', () => {
    const wasSeen = createSecondSight();
    expect(wasSeen('{ me { name } }')).toBe(false);
    expect(wasSeen('{ me { id } }')).toBe(false);
    expect(wasSeen('{ me { name } }')).toBe(true);
    expect(wasSeen('')).toBe(false);
    expect(wasSeen('')).toBe(true);
  });
});
