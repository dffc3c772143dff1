import { describe, expect, it } from '@jest/globals';
import { readPrefer } from '../../../../../rest-facade/request/negotiation/prefer.ts';

describe('preferences of a request (RFC 7240)', () => {
  it.each([
    undefined,
    '',
    'return',
    'return=some',
    'handling=careless',
    'respond-async, wait=10',
    '=',
    'return==minimal',
    ',,',
    'x'.repeat(2_000),
  ])('ignores %s', (header) => {
    expect(readPrefer(header)).toEqual({});
  });

  it.each([
    ['return=minimal', { returns: 'minimal' }],
    ['Return = "Minimal"', { returns: 'minimal' }],
    ['return=representation; foo="some, thing"', { returns: 'representation' }],
    ['wait=1, handling=lenient;x, count=none', { handling: 'lenient', count: 'none' }],
    ['handling=strict', { handling: 'strict' }],
    ['return=minimal, return=representation', { returns: 'minimal' }],
  ])('reads %s, and the first of two values applies', (header, preferences) => {
    expect(readPrefer(header)).toEqual(preferences);
  });
});
