import { serialize } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { compactText } from '../../../../../gateway/execution/data/print-json.ts';

/** Returns the number of bytes that V8 uses to store a text. */
function bytesOf(text: string): number {
  return serialize(text).length;
}

describe('compactText', () => {
  it('stores a name that was cut out of a wide text with one byte per character', () => {
    const name = 'a description – with a dash; shippingEstimateInCentsOfTheCurrency'.slice(-32);
    expect(bytesOf(name)).toBeGreaterThan(64);
    expect(bytesOf(compactText(name))).toBeLessThan(40);
    expect(compactText(name)).toBe(name);
  });

  it('preserves characters beyond ASCII', () => {
    for (const text of ['', 'é', '–', '𝒳 and y', '\\ud800']) expect(compactText(text)).toBe(text);
  });
});
