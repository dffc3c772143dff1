import { expect, it } from '@jest/globals';
import { mergeCacheControl } from '../../../../../gateway/hooks/built-in/merge-cache-control.ts';

it.each<[readonly (string | undefined)[], string]>([
  [['max-age=60', undefined], 'no-store'],
  [['max-age=60', 'No-Store'], 'no-store'],
  [['max-age=60', 'private, no-cache'], 'private, no-cache'],
  [['max-age=60', 'private'], 'private, no-cache'],
  [['max-age=60', 'max-age=soon'], 'private, no-cache'],
  [['max-age=60', 'max-age=-1'], 'private, no-cache'],
  [['max-age=60, max-age=5'], 'private, max-age=5'],
  [['public, s-maxage=600, max-age="30"', 'max-age=60'], 'private, max-age=30'],
  [['public, max-age=0'], 'private, max-age=0'],
])('%j is merged to %s', (values, merged) => {
  expect(mergeCacheControl(values)).toBe(merged);
});
