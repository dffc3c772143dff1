import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type ExecutionResult,
  type GraphQLFieldResolver,
  Kind,
  type OperationDefinitionNode,
  execute,
  getVariableValues,
  parse,
} from 'graphql';
import { bindVariables } from '../../../../../gateway/operation/normalize/canonical-operation.ts';
import { type CanonicalOperation, createCanonicalizer } from '../../../../../gateway/operation/normalize/canonical-operation.ts';
import { validateDocument } from '../../../../../gateway/operation/validation/validate-document.ts';
import { RICH_SCHEMA, randomOperation } from '../random-operation.ts';

const canonicalize = createCanonicalizer(RICH_SCHEMA);

function operationOf(text: string): OperationDefinitionNode {
  const operation = parse(text).definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The test document has no operation.');
  return operation;
}

function canonicalOf(text: string): CanonicalOperation | undefined {
  const operations = parse(text).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return canonicalize(parse(text, { noLocation: true }), operationOf(text), operations.length === 1);
}

function isValid(text: string): boolean {
  try {
    validateDocument(RICH_SCHEMA, parse(text), { maxErrors: 1, hideSuggestions: true });
    return true;
  } catch {
    return false;
  }
}

describe('createCanonicalizer, with operations that differ only in insignificant details', () => {
  it.each([
    ['{ me { name } }', 'query Mine { me, {name} # note\n }'],
    ['{ me { name } x: me { id } }', '{ me { name } y: me { id } }'],
    ['{ me { me: name } }', '{ me { me: name } }'],
    ['{ node(id: 1) { id } }', '{ node(id: "2") { id } }'],
    ['query ($a: ID!) { node(id: $a) { id } }', 'query Q($node: ID!) { node(id: $node) { id } }'],
    ['query ($a: ID!, $b: Int) { node(id: $a) { id } count(x: $b) }', 'query ($b: Int, $a: ID!) { node(id: $a) { id } count(x: $b) }'],
    ['{ count(x: 1, exact: true) }', '{ count(exact: false, x: 2) }'],
    ['{ count(kind: ROBOT) }', '{ count(kind: PERSON) }'],
    ['{ count(x: 1) }', '{ count(x: null) }'],
    ['{ search(filter: {ids: [1], kind: ROBOT}) { __typename } }', '{ search(filter: {min: 1.5}) { __typename } }'],
    ['{ search(kinds: [ROBOT]) { __typename } }', '{ search(kinds: ROBOT) { __typename } }'],
    ['{ me { ...A } } fragment A on Person { id }', '{ me { ...B } } fragment B on Person { id }'],
    [
      '{ me { ...A } } fragment B on Person { ...C } fragment C on Person { id } fragment A on Person { ...B }',
      '{ me { ...A } } fragment A on Person { ...B } fragment B on Person { ...C } fragment C on Person { id }',
    ],
    ['{ me @include(if: true) { id } }', '{ me { id } }'],
  ])('returns the same text for %s and %s', (one, other) => {
    expect(canonicalOf(one)?.text).toBeDefined();
    expect(canonicalOf(other)?.text).toBe(canonicalOf(one)?.text);
  });
});

describe('createCanonicalizer, with operations that differ in significant details', () => {
  it.each([
    ['{ me { id name } }', '{ me { name id } }'],
    ['{ a: me { id } b: me { id } }', '{ a: me { id } a: me { id } }'],
    ['{ name: me { name } }', '{ other: me { name } }'],
    ['{ a: count(x: 1) b: count(x: 1) }', '{ a: count(x: 1) b: count(x: 2) }'],
    ['{ me { name } }', '{ me { name(short: null) } }'],
    ['{ me { id @skip(if: true) } }', '{ me { id @skip(if: false) } }'],
    ['query ($a: Int = 1) { count(x: $a) }', 'query ($a: Int = 2) { count(x: $a) }'],
    ['query ($a: Int) { count(x: $a) }', 'query ($a: Int!) { count(x: $a) }'],
    ['query ($a: [Int!]) { count(grid: [$a]) }', 'query ($a: [Int!]) { count(grid: [$a, [1]]) }'],
    ['{ count(meta: {a: 1}) }', '{ count(meta: {a: 2}) }'],
    ['{ me { ... on Node { id } } }', '{ me { ... { id } } }'],
    // One argument with two types: the same literal in both positions, or two literals.
    ['{ wide { value(x: 1) } narrow { value(x: 1) } }', '{ wide { value(x: 1) } narrow { value(x: 2) } }'],
    ['{ wide { value(y: 1) } narrow { value(x: 1, y: 1.5) } }', '{ wide { value(y: 1) } narrow { value(x: 1, y: 1) } }'],
  ])('returns different texts for %s and %s', (one, other) => {
    expect(canonicalOf(one)?.text).toBeDefined();
    expect(canonicalOf(other)?.text).not.toBe(canonicalOf(one)?.text);
  });
});

describe('createCanonicalizer, with operations that it does not normalize', () => {
  it.each([
    '{ nobody }',
    '{ count(nothing: 1) }',
    '{ count(x: 1, x: 1) }',
    '{ me { id { id } } }',
    '{ __schema { description } }',
    '{ me { ...A } } fragment A on Person { ...B } fragment B on Person { ...A }',
    '{ me { ...Nothing } }',
    '{ me { id } } fragment A on Person { id }',
    '{ me { ...A } } fragment A on Person { id } fragment A on Person { name }',
    'query ($a: Int) { me { id } }',
    'query ($a: Int, $a: Int) { count(x: $a) }',
    '{ count(x: $a) }',
    '{ me @defer { id } }',
    '{ me { ... @defer { id } } }',
    'query @live { me { id } }',
    '{ me { id @skip(if: 1) } }',
    '{ me { id @skip } }',
    '{ __proto__: me { id } }',
    'query __proto__ { me { id } }',
    'mutation { me { id } }',
    'type Person { id: ID }',
  ])('leaves %s to validation', (text) => {
    const [operation] = parse(`${text} `).definitions;
    const taken = operation?.kind === Kind.OPERATION_DEFINITION ? canonicalize(parse(text), operation, true) : undefined;
    expect(taken).toBeUndefined();
  });

  it.each(['{ count(x: "1") }', '{ count(kind: NOBODY) }', '{ search(filter: {nothing: 1}) { __typename } }', '{ node(id: null) { id } }'])(
    'retains the invalid literal of %s in the text, which then is invalid',
    (text) => {
      const canonical = canonicalOf(text);
      expect(canonical?.literals).toEqual({});
      expect(isValid(canonical?.text ?? '')).toBe(false);
    },
  );

  it('does not change a number for a custom scalar that exceeds a double', () => {
    expect(canonicalOf('{ count(meta: 12345678901234567890) }')?.text).toBe('query{count(meta:12345678901234567890)}');
  });
});

/** Resolves each field to a value that depends only on the field, its parent type and its arguments. */
const resolveByChance: GraphQLFieldResolver<unknown, unknown> = (_source, args, _context, { fieldName, parentType, returnType }) => {
  const seed = Buffer.from(`${parentType.name}.${fieldName}${JSON.stringify(args)}`).reduce((hash, byte) => (hash * 31 + byte) % 9_973, 7);
  const type = String(returnType);
  if (type.startsWith('[')) return [{ __typename: 'Person' }, { __typename: seed % 2 === 0 && type.includes('Hit') ? 'Robot' : 'Person' }];
  if (/^(?:Node|Wide|Narrow|Person|Robot)/.test(type)) {
    const names: Readonly<Record<string, string>> = { Node: seed % 2 === 0 ? 'Person' : 'Robot', Wide: 'Both', Narrow: 'Strict' };
    return { __typename: names[type] ?? type.replace('!', '') };
  }
  return type.startsWith('Int') ? seed : `${seed} ${JSON.stringify(args)}`;
};

function responseOf(text: string, variables: Readonly<Record<string, unknown>>): ExecutionResult {
  return execute({
    schema: RICH_SCHEMA,
    document: parse(text),
    variableValues: variables,
    fieldResolver: resolveByChance,
  }) as ExecutionResult;
}

function withClientKeys(value: unknown, aliases: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withClientKeys(item, aliases));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [aliases.get(key) ?? key, withClientKeys(below, aliases)]));
}

describe('createCanonicalizer, with random operations', () => {
  const seed = Date.now() % 1_000_000;
  const classifications = new Map<string, { readonly isValid: boolean; readonly text: string }>();
  let compared = 0;

  it(`gives equal texts the same validity and returns correct results (seed ${seed})`, () => {
    fc.assert(
      fc.property(randomOperation, ({ text, variables }) => {
        const canonical = canonicalOf(text);
        const original = isValid(text);
        if (canonical === undefined) return;
        const before = classifications.get(canonical.text);
        if (before !== undefined) expect({ text, isValid: original }).toEqual({ text, isValid: before.isValid });
        classifications.set(canonical.text, { isValid: original, text });
        if (!original) return;
        // A canonical text is canonicalized again, and has the same number of aliases.
        expect(canonicalOf(canonical.text)?.aliases.size).toBe(canonical.aliases.size);
        const { coerced } = getVariableValues(RICH_SCHEMA, operationOf(text).variableDefinitions ?? [], variables);
        if (coerced === undefined) return;
        const expected = responseOf(text, variables);
        const given = responseOf(canonical.text, bindVariables(canonical, coerced));
        compared += 1;
        expect(JSON.stringify(withClientKeys(given.data, canonical.aliases))).toBe(JSON.stringify(expected.data));
        expect(given.errors?.length).toBe(expected.errors?.length);
      }),
      { seed, numRuns: 1_200 },
    );
    expect(compared).toBeGreaterThan(150);
    expect([...classifications.values()].filter((classification) => !classification.isValid).length).toBeGreaterThan(10);
  });
});
