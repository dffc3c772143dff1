import { describe, expect, it } from '@jest/globals';
import { classifyDatabaseFailure } from '../../../../../subgraphs/kit/database/database-failure.ts';

const wrapped = (error: object) => new Error('Failed query: select', { cause: new Error('again', { cause: error }) });

describe('classifyDatabaseFailure', () => {
  it.each([
    [{ code: '08006' }, 'unavailable'],
    [{ code: '57P01' }, 'unavailable'],
    [{ code: '53300' }, 'unavailable'],
    [{ code: '3D000' }, 'unavailable'],
    [{ code: 'ECONNREFUSED' }, 'unavailable'],
    [{ errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] }, 'unavailable'],
    [{ message: 'Connection terminated unexpectedly' }, 'unavailable'],
    [{ message: 'timeout exceeded when trying to connect' }, 'unavailable'],
    [{ code: '57014' }, 'too-slow'],
    [{ message: 'Query read timeout' }, 'too-slow'],
    [{ code: '22P02' }, 'bad-value'],
    [{ code: '22003' }, 'bad-value'],
    [{ code: '23505' }, 'unique-violation'],
    [{ code: '42P01' }, 'other'],
    [{ code: 'ENOENT' }, undefined],
    [{ message: 'boom' }, undefined],
  ])('classifies %j, at any depth of causes, as %s', (error, expected) => {
    expect([classifyDatabaseFailure(error), classifyDatabaseFailure(wrapped(error))]).toEqual([expected, expected]);
  });

  it('returns undefined for values that are not errors and for a cyclic cause', () => {
    const circle: { cause?: object } = {};
    circle.cause = circle;
    expect([undefined, null, 'x', 5, circle].map(classifyDatabaseFailure)).toEqual(Array(5).fill(undefined));
  });
});
