import { describe, expect, it } from '@jest/globals';
import { acceptsIncremental } from '../../../../../gateway/http/graphql/negotiate-response.ts';

describe('incremental delivery by multipart/mixed', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'multipart/*',
    'multipart/form-data',
    'application/json',
    'x-multipart/mixed',
    'multipart/mixed-up',
    'multipart/mixed;q=0',
    'multipart/mixed; q=0.0',
    'multipart/mixed;q=x',
    'multipart/mixed;deferSpec=20300101',
    'multipart/mixed;subscriptionSpec="1.0", application/json',
    'multipart/mixed;incrementalSpec=v0.2',
    `multipart/mixed${' '.repeat(1_024)}`,
  ])('is not accepted by %j', (accept) => {
    expect(acceptsIncremental(accept)).toBe(false);
  });

  it.each([
    'multipart/mixed',
    'MULTIPART/MIXED',
    'application/json, multipart/mixed',
    'multipart/mixed;deferSpec=20220824,application/json',
    'multipart/mixed; boundary="-"; deferSpec="20220824"',
    'multipart/mixed;q=0.1',
    'multipart/mixed;subscriptionSpec="1.0", multipart/mixed;deferSpec=20220824',
    ',, multipart/mixed ,',
  ])('is accepted by %j', (accept) => {
    expect(acceptsIncremental(accept)).toBe(true);
  });
});
