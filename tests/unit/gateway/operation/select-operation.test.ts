import { parse } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { selectOperation } from '../../../../gateway/operation/select-operation.ts';
import { errorsOf } from '../../../support/gateway/catch-rejection.ts';

const TWO = parse('query A { a } mutation B { b } fragment F on Query { a }');

describe('selectOperation', () => {
  it.each([
    ['fragment F on Query { a }', undefined, 'The document contains no operation.'],
    [
      'query A { a } query B { b }',
      undefined,
      'The document contains several operations: set "operationName" to the name of the operation to execute.',
    ],
    [
      'query A { a } query B { b }',
      '',
      'The document contains several operations: set "operationName" to the name of the operation to execute.',
    ],
    ['query A { a }', 'C', 'The document contains no operation named "C".'],
    ['{ a }', 'C', 'The document contains no operation named "C".'],
    ['query A { a } fragment F on Query { a }', 'F', 'The document contains no operation named "F".'],
  ])('rejects %s with the name %j', (text, name, message) => {
    expect(errorsOf(() => selectOperation(parse(text), name))).toEqual(['OPERATION_RESOLUTION_FAILURE', message]);
  });

  it('shortens a very long operation name in the message', () => {
    expect(errorsOf(() => selectOperation(TWO, 'x'.repeat(1_000_000)))[1]).toHaveLength(
      'The document contains no operation named "…".'.length + 100,
    );
  });

  it('returns the only operation if no name is given, whether it is named or not', () => {
    expect(selectOperation(parse('query A { a }')).name?.value).toBe('A');
    expect(selectOperation(parse('{ a }'), '').name).toBeUndefined();
  });

  it('returns the operation with the given name', () => {
    expect(selectOperation(TWO, 'B').operation).toBe('mutation');
  });
});
