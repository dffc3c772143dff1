import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { validateDocument } from '../../../../gateway/operation/validation/validate-document.ts';
import { withDefer } from '../../../support/schema/with-defer.ts';
import { catchRejection } from '../../../support/gateway/catch-rejection.ts';

const schema = withDefer(
  buildSchema(`
    type Query { book: Book }
    type Book { id: ID! name: String }
    type Mutation { save: Book }
    type Subscription { saved: Book }
  `),
);

function errorsOf(text: string): readonly string[] {
  const error = catchRejection(() => validateDocument(schema, parse(text), { maxErrors: 10, hideSuggestions: true }));
  return error.errors.map(({ message }) => message);
}

describe('@defer in a document', () => {
  it.each([
    [
      'a label that is a variable',
      'query ($l: String) { book { ... @defer(label: $l) { id } } }',
      'The label of "@defer" must be a literal.',
    ],
    [
      'a duplicate label',
      '{ book { ... @defer(label: "a") { id } ... @defer(label: "a") { name } } }',
      'The label "a" of "@defer" must be unique.',
    ],
    ['a label that is not a string', '{ book { ... @defer(label: 1) { id } } }', 'String cannot represent a non string value: 1'],
    ['a null condition', '{ book { ... @defer(if: null) { id } } }', 'Expected value of type "Boolean!", found null.'],
    ['@defer on a field', '{ book @defer { id } }', 'Directive "@defer" may not be used on FIELD.'],
    [
      '@defer twice on one fragment',
      '{ book { ... @defer @defer { id } } }',
      'The directive "@defer" can only be used once at this location.',
    ],
    ['@defer at the root of a subscription', 'subscription { ... @defer { saved { id } } }', '"@defer" is not supported in subscriptions.'],
    [
      '@defer inside a subscription',
      'subscription { saved { ...F } } fragment F on Book { ... @defer { id } }',
      '"@defer" is not supported in subscriptions.',
    ],
    ['@stream', '{ book { id @stream } }', 'Unknown directive "@stream".'],
  ])('rejects %s', (_name, text, message) => {
    expect(errorsOf(text)).toContain(message);
  });

  it.each([
    '{ ... @defer { book { id ...F @defer(label: "a") } } } fragment F on Book { name ... @defer(label: "b", if: true) { id } }',
    'query ($if: Boolean!, $or: Boolean) { book { ... @defer(if: $if) { id } ... @defer(if: $or, label: null) { id } } }',
    'mutation { ... @defer { save { id } } }',
    'subscription ($if: Boolean!) { saved { ... @defer(if: false) { id } ... @defer(if: $if) { id } } }',
  ])('accepts %s', (text) => {
    expect(() => validateDocument(schema, parse(text), { maxErrors: 10, hideSuggestions: true })).not.toThrow();
  });
});
