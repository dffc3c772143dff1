import { buildSchema, type DocumentNode, parse } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { validateDocument } from '../../../../../gateway/operation/validation/validate-document.ts';
import { nestedDocument } from '../nested-document.ts';
import { errorsOf, catchRejection } from '../../../../support/gateway/catch-rejection.ts';

const SCHEMA = buildSchema(`
  type Query { me: Person, byName(name: String!, kind: Kind): Person }
  type Person { name: String!, friend: Person }
  enum Kind { HUMAN MACHINE }
`);

function validate(text: string, settings: { maxErrors?: number; hideSuggestions?: boolean } = {}): void {
  validateDocument(SCHEMA, parse(text), { maxErrors: 10, hideSuggestions: false, ...settings });
}

describe('validateDocument', () => {
  it.each([
    '{ nothing me { name nobody } }',
    'query A { me { name } }\nquery A { me { name } }',
    '{\n  byName(kind: DOG) { name }\n}',
    'query ($unused: Int, $x: Kind) {\n  byName(name: "a", kind: $y) { name: friend { name } name }\n}',
    'fragment F on Person { ...G } fragment G on Person { ...F } { me { ...F ... on Nothing { name } } }',
    'query __proto__ { __proto__: me { name } } type Extra { name: String }',
  ])('locates the errors of a document without locations: %s', (text) => {
    const settings = { maxErrors: 10, hideSuggestions: false };
    const located = catchRejection(() => validateDocument(SCHEMA, parse(text), settings)).errors;
    const light = parse(text, { noLocation: true });
    const locate = (): DocumentNode => parse(text);
    expect(catchRejection(() => validateDocument(SCHEMA, light, { ...settings, locate })).errors).toEqual(located);
    expect(located.flatMap(({ locations }) => locations ?? []).length).toBeGreaterThanOrEqual(located.length);
  });

  it('does not parse a valid document again', () => {
    const locate = (): never => {
      throw new Error('The document was parsed with locations.');
    };
    validateDocument(SCHEMA, parse('{ me { name } }', { noLocation: true }), { maxErrors: 10, hideSuggestions: false, locate });
  });

  describe('with subscriptions', () => {
    const schema = buildSchema(`
      type Query { a: Int }
      type Subscription { one(x: Int): Int, other: Int }
    `);
    const check = (text: string): void => validateDocument(schema, parse(text), { maxErrors: 10, hideSuggestions: false });
    const DEEP = Array.from({ length: 50 }, (_, index) => `fragment F${index} on Subscription { ...F${index + 1} ...F${index + 1} }`);

    it.each([
      ['subscription ($a: Boolean!) { one @skip(if: $a) }', 'Anonymous Subscription must not use "@skip" on its top level field.'],
      [
        'subscription S($a: Boolean = true) { ... @include(if: $a) { one } }',
        'Subscription "S" must not use "@include" on its top level field.',
      ],
      [
        'subscription { ...F @skip(if: true) } fragment F on Subscription { one }',
        'Anonymous Subscription must not use "@skip" on its top level field.',
      ],
      [
        'query Q { a } subscription S($a: Boolean!) { ...F } fragment F on Subscription { one @skip(if: $a) }',
        'Subscription "S" must not use "@skip" on its top level field.',
      ],
      ['subscription S { one other }', 'Subscription "S" must select only one top level field.'],
      ['subscription { one ...F } fragment F on Subscription { b: one }', 'Anonymous Subscription must select only one top level field.'],
      ['subscription { __typename }', 'Anonymous Subscription must not select an introspection top level field.'],
      ['subscription { a: __schema { description } }', 'Anonymous Subscription must not select an introspection top level field.'],
      [
        'subscription { ...F } fragment F on Subscription { ...F one other }',
        'Anonymous Subscription must select only one top level field.',
      ],
    ])('rejects %s with the reason', (text, message) => {
      expect(errorsOf(() => check(text))).toEqual(expect.arrayContaining(['GRAPHQL_VALIDATION_FAILED', message]));
    });

    it.each(['subscription { one @skip(if: "x") }', 'subscription { one @skip }', 'subscription { one @include(if: $nothing) }'])(
      'reports a validation error for the invalid root condition in %s',
      (text) => {
        expect(errorsOf(() => check(text))[0]).toBe('GRAPHQL_VALIDATION_FAILED');
      },
    );

    it.each([
      'subscription { one one }',
      'subscription S { ...F ...F } fragment F on Subscription { one }',
      'subscription ($x: Int) { ... on Subscription { one(x: $x) } }',
      `subscription { ...F0 } ${DEEP.join(' ')} fragment F50 on Subscription { one }`,
    ])('accepts %s', (text) => {
      expect(() => check(text)).not.toThrow();
    });
  });

  it.each([
    ['{ nobody }', 'Cannot query field "nobody" on type "Query".'],
    ['{ me }', 'Field "me" of type "Person" must have a selection of subfields. Did you mean "me { ... }"?'],
    ['{ me { ...F } } fragment F on Person { ...F }', 'Cannot spread fragment "F" within itself.'],
    ['{ me { ...Nothing } }', 'Unknown fragment "Nothing".'],
    ['query A { me { name } } query A { me { name } }', 'There can be only one operation named "A".'],
    ['query ($a: Nope) { me { name } }', 'Unknown type "Nope".'],
    ['{ byName { name } }', 'Field "byName" argument "name" of type "String!" is required, but it was not provided.'],
    ['mutation { rename }', 'The schema has no mutations.'],
    ['subscription { renamed }', 'The schema has no subscriptions.'],
    ['type Query { a: Int }', 'The "Query" definition is not executable.'],
  ])('rejects %s with the reason', (text, message) => {
    expect(errorsOf(() => validate(text)).slice(0, 2)).toEqual(['GRAPHQL_VALIDATION_FAILED', message]);
  });

  it('reports the location of an error', () => {
    expect(catchRejection(() => validate('{\n  me { zzz }\n}')).errors).toEqual([
      { message: 'Cannot query field "zzz" on type "Person".', locations: [{ line: 2, column: 8 }] },
    ]);
  });

  it('shortens a very long name in the message', () => {
    const [, message = ''] = errorsOf(() => validate(`{ ${'x'.repeat(100_000)} }`));
    expect(message).toMatch(/^Cannot query field "xxx+…$/);
    expect(message.length).toBeLessThan(500);
  });

  it('reports at most the maximum number of errors and nothing about the limit', () => {
    const { errors: failures } = catchRejection(() =>
      validate(`{ ${Array.from({ length: 30 }, (_, index) => `x${index}`).join(' ')} }`, { maxErrors: 3 }),
    );
    expect(failures.map(({ message }) => message)).toEqual([0, 1, 2].map((index) => `Cannot query field "x${index}" on type "Query".`));
  });

  it.each([
    '{ mee { name } }',
    '{ me { nam } }',
    '{ byName(nam: "x", name: "x") { name } }',
    '{ byName(name: "x", kind: HUMANN) { name } }',
    '{ me }',
  ])('suggests no names for %s when suggestions are hidden', (text) => {
    expect(errorsOf(() => validate(text, { hideSuggestions: true })).join('\n')).not.toMatch(/Did you mean/);
  });

  it('suggests the correct name for a misspelled field when suggestions are shown', () => {
    expect(errorsOf(() => validate('{ me { nam } }'))[1]).toBe('Cannot query field "nam" on type "Person". Did you mean "name"?');
  });

  it.each([
    '{ __proto__: me { name } }',
    'query __proto__ { me { name } }',
    'query ($__proto__: String!) { byName(name: $__proto__) { name } }',
    '{ me { ...__proto__ } } fragment __proto__ on Person { name }',
  ])('rejects the reserved name in %s', (text) => {
    expect(errorsOf(() => validate(text))).toContain('The name "__proto__" is reserved.');
  });

  it('rejects a document that is too deep for any rule to visit', () => {
    const deep = nestedDocument({ root: 'me', steps: ['friend'], leaf: 'name', levels: 50_000 });
    expect(errorsOf(() => validateDocument(SCHEMA, deep, { maxErrors: 10, hideSuggestions: false }))).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
      'The document is nested too deeply.',
    ]);
  });

  it('accepts a valid document', () => {
    expect(() =>
      validate('query A($n: String!) { byName(name: $n) { ...P } __typename } fragment P on Person { name friend { name } }'),
    ).not.toThrow();
  });
});
