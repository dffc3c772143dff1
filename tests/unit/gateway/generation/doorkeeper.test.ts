import { describe, expect, it } from '@jest/globals';
import { createDoorkeeper } from '../../../../gateway/generation/prepared-document.ts';

describe('doorkeeper of document texts', () => {
  it('rarely confuses new texts that differ in one character', () => {
    const seenRecently = createDoorkeeper();
    const texts = Array.from({ length: 10_000 }, (_none, index) => `{ a${1_000_000 + index}: name }`);
    expect(texts.filter(seenRecently).length).toBeLessThan(3);
  });

  it('recognizes a text that is seen again soon', () => {
    const seenRecently = createDoorkeeper();
    expect(seenRecently('{ me { name } }')).toBe(false);
    expect(seenRecently('{ me { id } }')).toBe(false);
    expect(seenRecently('{ me { name } }')).toBe(true);
    expect(seenRecently('')).toBe(false);
    expect(seenRecently('')).toBe(true);
  });
});
