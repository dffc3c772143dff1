import { parse, print } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { isolateOperation } from '../../../../../gateway/operation/normalize/verbatim-operation.ts';
import { selectOperation } from '../../../../../gateway/operation/select-operation.ts';

function isolate(text: string, operationName?: string) {
  const document = parse(text);
  return isolateOperation(document, selectOperation(document, operationName));
}

describe('isolateOperation', () => {
  it.each([
    '{ __schema { types { name } } }',
    '{ x: __schema { types { name } } }',
    '{ __type(name: "A") { name } }',
    '{ ...F } fragment F on Query { ...G } fragment G on Query { x: __type(name: "A") { name } }',
    '{ ... on Query { ... @include(if: false) { __schema { description } } } }',
    'mutation { rename { query { __schema { description } } } }',
    '{ ...F } fragment F on Query { ...G a } fragment G on Query { ...F __schema { description } }',
  ])('detects introspection in %s', (text) => {
    expect(isolate(text).isIntrospecting).toBe(true);
  });

  it.each([
    '{ __typename a { __typename } }',
    '{ __schema: a }',
    'query A { a } query B { __schema { description } }',
    'query A { a } fragment F on Query { __schema { description } }',
  ])('detects no introspection in the first operation of %s', (text) => {
    expect(isolate(text, text.startsWith('query A') ? 'A' : undefined).isIntrospecting).toBe(false);
  });

  it('retains only the fragments that the operation reaches, each of them once', () => {
    const { document } = isolate(
      'query A { ...F ...F } query B($x: Int) { ...H } fragment F on Query { ...G } fragment G on Query { a } fragment H on Query { b(x: $x) }',
      'A',
    );
    expect(print(document).replaceAll(/\s+/g, ' ')).toBe('query A { ...F ...F } fragment F on Query { ...G } fragment G on Query { a }');
  });
});
