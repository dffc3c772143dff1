import { describe, expect, it } from '@jest/globals';
import { lowerPolicy } from '../../../../gateway/cache/cache-key-parts.ts';

const policy = { maxAgeSeconds: 60, scope: 'PUBLIC' } as const;

describe('lowerPolicy', () => {
  it.each([['no-store'], ['max-age=10, no-cache'], ['max-age=0'], ['public, MAX-AGE=0'], ['max-age=soon'], ['max-age=-1'], ['max-age']])(
    'does not cache a subgraph response with "%s"',
    (header) => {
      expect(lowerPolicy(policy, header)).toBeUndefined();
    },
  );

  it.each([
    ['max-age=10', { maxAgeSeconds: 10, scope: 'PUBLIC' }],
    ['s-maxage="5", max-age=10', { maxAgeSeconds: 5, scope: 'PUBLIC' }],
    ['Private, max-age=30', { maxAgeSeconds: 30, scope: 'PRIVATE' }],
  ])('applies the stricter policy of a subgraph response with "%s"', (header, expected) => {
    expect(lowerPolicy(policy, header)).toEqual(expected);
  });

  it.each([['public, max-age=3600'], ['must-revalidate'], ['']])('never raises the policy for a subgraph response with "%s"', (header) => {
    expect(lowerPolicy(policy, header)).toEqual(policy);
    expect(lowerPolicy({ ...policy, scope: 'PRIVATE' }, header)?.scope).toBe('PRIVATE');
  });

  it('retains the policy of the schema when the subgraph sends no header', () => {
    expect(lowerPolicy(policy, undefined)).toBe(policy);
  });
});
