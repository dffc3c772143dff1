import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentNode, OverlappingFieldsCanBeMergedRule, parse, specifiedRules, validate, type ValidationRule } from 'graphql';
import { overlappingFieldsRule } from '../../../../../../gateway/operation/validation/overlapping-fields/overlapping-fields-rule.ts';
import { OVERLAPPING_SCHEMA, randomOverlaps } from '../../random-overlaps.ts';
import { randomOperation, RICH_SCHEMA } from '../../random-operation.ts';

const OTHER_RULES = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
const isValid = (document: DocumentNode, rules: readonly ValidationRule[], schema = OVERLAPPING_SCHEMA) =>
  validate(schema, document, rules).length === 0;
const conflictsOf = (text: string) => validate(OVERLAPPING_SCHEMA, parse(text), [overlappingFieldsRule]).map(({ message }) => message);

describe('overlappingFieldsRule', () => {
  it.each([
    ['{ a { x: v x: w } }', 'Fields "x" conflict because "v" and "w" are different fields.'],
    ['{ a { x(p: 1) x(p: 2) } }', 'Fields "x" conflict because they have differing arguments.'],
    ['{ a { x x(p: 2) } }', 'Fields "x" conflict because they have differing arguments.'],
    ['{ any { ... on A { v } ... on B { v } } }', 'Fields "v" conflict because they return conflicting types "Int" and "Int!".'],
    ['{ any { ... on A { w } ... on C { w { v } } } }', 'Fields "w" conflict because they return conflicting types "String" and "A".'],
    ['{ any { ... on A { list { v } } ... on B { list { v } } } }', 'conflicting types "[A]" and "[B!]"'],
    ['{ node { ... on A { k: v } ... on Node { k: x } } }', 'Fields "k" conflict because "v" and "x" are different fields.'],
    ['{ a { self { k: v } } a { self { k: w } } }', 'Fields "k" conflict because "v" and "w" are different fields.'],
    ['{ a { ...F ...G } } fragment F on A { self { k: v } } fragment G on A { self { k: w } }', 'Fields "k" conflict because'],
    ['query Q { v } query R { v ...F } fragment F on Query { v: w }', 'Fields "v" conflict because "v" and "w" are different fields.'],
    ['{ any { ... on A { k: other { v } } ... on C { k: other { v: x } } } }', 'conflicting types "Int!" and "Int"'],
  ])('rejects %s with the reason', (text, reason) => {
    expect(conflictsOf(text)[0]).toContain(reason);
    expect(isValid(parse(text), [OverlappingFieldsCanBeMergedRule])).toBe(false);
  });

  it.each([
    '{ a { x x } a { x: x } }',
    '{ any { ... on A { k: v } ... on C { k: __typename } } }',
    '{ any { ... on A { k: w } ... on A { k: w } } }',
    '{ a { x(p: 1, q: {a: 1, c: "x"}) x(q: {c: "x", a: 1}, p: 1) } }',
    '{ any { ... on A { self { k: v } } ... on B { self { k: x } } } }',
    '{ any { ... on A { k: x(p: 1) } } any { ... on A { k: x(p: 1) } } }',
    '{ node { ... on A { node { ... on A { k: x(p: 1) } } } ... on B { node { ... on A { k: v } } } } }',
  ])('gives %s the same result as graphql-js', (text) => {
    expect(conflictsOf(text).length === 0).toBe(isValid(parse(text), [OverlappingFieldsCanBeMergedRule]));
  });

  it('reports both locations of a conflict', () => {
    const [error] = validate(OVERLAPPING_SCHEMA, parse('{ a { x: v\nx: w } }'), [overlappingFieldsRule]);
    expect(error?.locations).toEqual([
      { line: 1, column: 7 },
      { line: 2, column: 1 },
    ]);
  });

  it('agrees with graphql-js on random documents with overlapping fields', () => {
    const found = { valid: 0, conflicting: 0 };
    fc.assert(
      fc.property(randomOverlaps, (text) => {
        const document = parse(text);
        if (!isValid(document, OTHER_RULES)) return;
        const expected = isValid(document, [OverlappingFieldsCanBeMergedRule]);
        expect(isValid(document, [overlappingFieldsRule])).toBe(expected);
        found[expected ? 'valid' : 'conflicting'] += 1;
      }),
      { numRuns: 2_000 },
    );
    expect(found.valid).toBeGreaterThan(200);
    expect(found.conflicting).toBeGreaterThan(200);
  });

  it('agrees with graphql-js on random operations of all kinds', () => {
    fc.assert(
      fc.property(randomOperation, ({ text }) => {
        const document = parse(text);
        if (!isValid(document, OTHER_RULES, RICH_SCHEMA)) return;
        expect(isValid(document, [overlappingFieldsRule], RICH_SCHEMA)).toBe(
          isValid(document, [OverlappingFieldsCanBeMergedRule], RICH_SCHEMA),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
