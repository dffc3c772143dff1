import { describe, expect, it } from '@jest/globals';
import { lowerPolicy } from '../../../../gateway/cache/cache-key-parts.ts';

const policy = { maxAgeSeconds: 60, scope: 'PUBLIC' } as const;

describe('lowerPolicy', () => {
  it.each([['no-store'], ['max-age=10, no-cache'], ['max-age=0'], ['public, MAX-AGE=0'], ['max-age=soon'], ['max-age=-1'], ['max-age']])(
    'given a subgraph that answers "%s", when lowered, then nothing may be kept',
    (header) => {
      expect(lowerPolicy(policy, header)).toBeUndefined();
    },
  );

  it.each([
    ['max-age=10', { maxAgeSeconds: 10, scope: 'PUBLIC' }],
    ['s-maxage="5", max-age=10', { maxAgeSeconds: 5, scope: 'PUBLIC' }],
    ['Private, max-age=30', { maxAgeSeconds: 30, scope: 'PRIVATE' }],
  ])('given a subgraph that answers "%s", when lowered, then that stands', (header, expected) => {
    expect(lowerPolicy(policy, header)).toEqual(expected);
  });

  it.each([['public, max-age=3600'], ['must-revalidate'], ['']])(
    'given a subgraph that answers "%s", when lowered, then nothing is raised',
    (header) => {
      expect(lowerPolicy(policy, header)).toEqual(policy);
      expect(lowerPolicy({ ...policy, scope: 'PRIVATE' }, header)?.scope).toBe('PRIVATE');
    },
  );

  it('given a subgraph that says nothing, when lowered, then the hints of the schema stand', () => {
    expect(lowerPolicy(policy, undefined)).toBe(policy);
  });
});
