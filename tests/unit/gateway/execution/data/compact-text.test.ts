import { serialize } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { compactText } from '../../../../../gateway/execution/data/print-json.ts';

/** Bytes that V8 needs for a text as it is kept. */
function bytesOf(text: string): number {
  return serialize(text).length;
}

describe('compactText', () => {
  it('given a name cut out of a text with a wide character, then it takes a byte for each character', () => {
    const name = 'a description – with a dash; shippingEstimateInCentsOfTheCurrency'.slice(-32);
    expect(bytesOf(name)).toBeGreaterThan(64);
    expect(bytesOf(compactText(name))).toBeLessThan(40);
    expect(compactText(name)).toBe(name);
  });

  it('given characters beyond ASCII, then they stay', () => {
    for (const text of ['', 'é', '–', '𝒳 and y', '\\ud800']) expect(compactText(text)).toBe(text);
  });
});
