import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ASTVisitor, BREAK, type DocumentNode, GraphQLError, parse, specifiedRules, validate, type ValidationContext } from 'graphql';
import { findErrors } from '../../../../../gateway/operation/validation/find-errors.ts';
import { randomOperation, RICH_SCHEMA } from '../random-operation.ts';

const MAX_ERRORS = 20;
const rules = specifiedRules;

const describeErrors = (errors: readonly GraphQLError[]): readonly unknown[] =>
  errors.map(({ message, locations }) => ({ message, locations }));
const found = (document: DocumentNode, settings = { rules, maxErrors: MAX_ERRORS }): readonly unknown[] =>
  describeErrors(findErrors(RICH_SCHEMA, document, settings));
const expected = (document: DocumentNode): readonly unknown[] =>
  describeErrors(validate(RICH_SCHEMA, document, rules, { maxErrors: MAX_ERRORS })).slice(0, MAX_ERRORS);

describe('findErrors', () => {
  it.each([
    '{ nothing me { nobody friend } }',
    '{ me { ...Missing ...F } } fragment F on Person { ...F age } fragment Unused on Robot { nothing }',
    'query A($a: Int, $a: Nope, $b: [Int!]) { count(x: $a, ratio: $b, unknown: 1) } query A { me { id } } { narrow { value } }',
    '{ me { id @skip @skip(if: 1) @unknown name(short: "x", short: true) } }',
    '{ search(filter: { min: "x", min: 1, not: { nothing: 1 }, pick: { one: 1, other: "x" } }) { id } }',
    'query ($v: Int = "x" @deprecated) @include(if: $missing) { me { ... on Hit { __typename } ... on Wide { value } } }',
    'mutation { a } subscription { b }',
    '{ me { id } } query B { me { id(x: $y) { z } } }',
  ])('finds the errors of graphql-js in its order in %s', (text) => {
    const document = parse(text);
    expect(found(document)).toEqual(expected(document));
    expect(found(document).length).toBeGreaterThan(0);
  });

  it('finds the errors of graphql-js in order in random documents with swapped words', () => {
    let invalid = 0;
    const exchange = fc.array(fc.tuple(fc.nat(10_000), fc.nat(10_000)), { maxLength: 3 });
    fc.assert(
      fc.property(randomOperation, exchange, ({ text }, positions) => {
        const document = parseable(exchangeWords(text, positions));
        if (document === undefined) return;
        const errors = expected(document);
        if (errors.length > 0) invalid += 1;
        expect(found(document)).toEqual(errors);
      }),
      { numRuns: 500 },
    );
    expect(invalid).toBeGreaterThan(50);
  });

  it('returns only the first errors if there are more than the maximum', () => {
    const document = parse(`{ ${Array.from({ length: 50 }, (_, index) => `f${index}`).join(' ')} }`);
    expect(found(document, { rules, maxErrors: 3 })).toEqual(expected(document).slice(0, 3));
  });

  it('includes the error that a rule throws to abort validation', () => {
    const ending = (): ASTVisitor => ({
      Field() {
        throw new GraphQLError('Too many fragments.');
      },
    });
    expect(found(parse('{ nothing }'), { rules: [ending, ...rules], maxErrors: 5 })).toEqual([{ message: 'Too many fragments.' }]);
  });

  it('stops only the rule that skips nodes or breaks', () => {
    const document = parse('{ me { a: id friend { b: id } c: id } node(id: 1) { d: id } }');
    const seen = (stopAt: string, result: unknown): { skipped: string[]; all: string[] } => {
      const skipped: string[] = [];
      const all: string[] = [];
      const stopping = (context: ValidationContext): ASTVisitor => ({
        Field: {
          enter(node) {
            skipped.push(`+${node.name.value}`);
            expect(context.getFieldDef()?.name).toBe(node.name.value);
            return node.name.value === stopAt ? result : undefined;
          },
          leave: (node) => void skipped.push(`-${node.name.value}`),
        },
      });
      const other = (): ASTVisitor => ({ enter: (node) => void all.push(node.kind) });
      findErrors(RICH_SCHEMA, document, { rules: [stopping, other], maxErrors: 1 });
      return { skipped, all };
    };
    const friendSkipped = seen('friend', false);
    expect(friendSkipped.skipped).toEqual(['+me', '+id', '-id', '+friend', '+id', '-id', '-me', '+node', '+id', '-id', '-node']);
    expect(seen('friend', BREAK).skipped).toEqual(['+me', '+id', '-id', '+friend']);
    expect(friendSkipped.all.filter((kind) => kind === 'Field')).toHaveLength(7);
  });
});

/** Replaces one name or number of the text by another, for each pair. */
function exchangeWords(text: string, positions: readonly (readonly [number, number])[]): string {
  const parts = text.split(/(\w+)/);
  const words = parts.length >> 1;
  for (const [from, to] of positions) parts[2 * (to % words) + 1] = parts[2 * (from % words) + 1] ?? '';
  return parts.join('');
}

function parseable(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
