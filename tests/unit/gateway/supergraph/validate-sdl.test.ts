import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { SIZES, writeLargeSupergraph } from '../../../../bench/scale/large-supergraph.ts';
import { runSteps } from '../../../../gateway/platform/run-steps.ts';
import { parseSdlInSteps } from '../../../../gateway/supergraph/parse-sdl.ts';
import { validateSdl } from '../../../../gateway/supergraph/validate-sdl.ts';

const DEFINITIONS = `
  directive @onField(a: Int!, b: [In!]) on FIELD_DEFINITION
  directive @onArgument on ARGUMENT_DEFINITION
  directive @onInput on INPUT_FIELD_DEFINITION
  directive @onType on OBJECT | INTERFACE | UNION
  directive @many(a: String) repeatable on OBJECT | FIELD_DEFINITION | ENUM_VALUE
  input In { x: Int }
  type Query { f: Int @onField(a: 1) @many(a: "x") }
`;

const messagesOf = (errors: readonly { readonly message: string }[]): readonly string[] => errors.map(({ message }) => message);

describe('validateSdl', () => {
  it.each([
    ['an unknown type', 'type A { a: Missing b: Missing c(d: Missing): [Missing!] } input B { a: Missing } union U = Missing'],
    ['an unknown interface', 'type A implements Missing { a: Int }'],
    ['an unknown directive', 'type A @missing { a: Int @missing b(c: Int @missing): Int @missing } enum E @missing { V @missing }'],
    ['a directive that the definition must not have', 'type A @onField(a: 1) { a: Int @onType } scalar S @onType enum E { V @onType }'],
    [
      'a directive of a field at a type',
      'type A { a: Int @onField(a: 1) } interface B { a: Int @onField(a: 1) } type C @onField(a: 1) { a: Int }',
    ],
    ['a directive of an argument at an input field', 'type A { a(b: Int @onArgument): Int } input B { b: Int @onArgument }'],
    ['a directive of an input field at an argument', 'input B { b: Int @onInput } type A { a(b: Int @onInput): Int }'],
    ['a repeated directive', 'type A @onType @onType { a: Int @onField(a: 1) @onField(a: 1) b: Int @many @many }'],
    ['a directive that an extension repeats', 'type A @onType { a: Int } extend type A @onType { b: Int }'],
    ['an unknown argument', 'type A { a: Int @onField(a: 1, c: 2) b: Int @onField(a: 1, c: 2) } type B @many(b: 1) { a: Int }'],
    ['a missing argument', 'type A { a: Int @onField b: Int @onField } type B { a: Int @onField }'],
    [
      'directives and arguments of fields whose type is known',
      'type A { a: Int b: Int @onType c: Int @onType d(e: Missing): Int f: Int @onField(a: 1) @onField(a: 1) } interface B { a: Int @missing }',
    ],
    ['an argument twice', 'type A { a: Int @onField(a: 1, a: 2) }'],
    ['an input field twice in a value', 'type A { a: Int @onField(a: 1, b: [{ x: 1, x: 2 }]) }'],
    ['names twice', 'type A { a: Int a: Int b(c: Int, c: Int): Int } type A { a: Int } enum E { V V } input I { a: Int a: Int }'],
    ['a schema twice', 'schema { query: Query query: Query } schema { query: Query }'],
    ['an extension of an unknown type, and of another kind', 'extend type Missing { a: Int } extend input Query { a: Int }'],
    ['a default value that is valid', 'type A { a(b: In = { x: 1 }): Int @many(a: "b") }'],
  ])('finds the same errors as GraphQL.js: %s', (_what, sdl) => {
    const document = parse(DEFINITIONS + sdl);
    expect(messagesOf(validateSdl(document))).toEqual(messagesOf(validateSDL(document)));
    const shared = runSteps(parseSdlInSteps(DEFINITIONS + sdl));
    expect(new Set(messagesOf(validateSdl(shared)))).toEqual(new Set(messagesOf(validateSDL(shared))));
  });

  it('accepts a large supergraph', () => {
    const [size] = SIZES;
    expect(size && validateSdl(runSteps(parseSdlInSteps(writeLargeSupergraph(size, () => 'http://subgraph.test/'))))).toEqual([]);
  });
});
