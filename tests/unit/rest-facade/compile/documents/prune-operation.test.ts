import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, print, validate } from 'graphql';
import { pruneOperation } from '../../../../../rest-facade/compile/documents/prune-operation.ts';
import { bind, libraryRoute } from '../../support/bind-library.ts';
import { librarySchema } from '../../support/library-graph.ts';

function pruned(operationName: string, fields: string, input: Parameters<typeof bind>[1] = {}): string {
  const selection = bind(operationName, { ...input, query: `fields=${fields}` }).fields;
  if (selection === undefined) throw new Error('`fields` was not read.');
  return print(pruneOperation(libraryRoute(operationName), selection.mask));
}

const canonical = (text: string): string => print(parse(text));

describe('pruneOperation', () => {
  it('selects nothing else when a leaf is named', () => {
    expect(pruned('GetBook', 'title', { path: ['1'] })).toBe(
      canonical('query GetBook($id: ID!) { book(id: $id) { ... on Book { title } } }'),
    );
  });

  it('selects only the path to a named field of a nested object', () => {
    expect(pruned('GetBook', 'writer.name', { path: ['1'] })).toBe(
      canonical('query GetBook($id: ID!) { book(id: $id) { ... on Book { writer { name } } } }'),
    );
  });

  it('selects the whole object when both the object and one of its fields are named', () => {
    for (const fields of ['writer,writer.name', 'writer.name,writer']) {
      expect(pruned('GetBook', fields, { path: ['1'] })).toContain('phone');
    }
  });

  it('retains the counts of a page and reduces its items', () => {
    const text = pruned('ListBooks', 'id');
    expect(text).toContain('totalCount');
    expect(text).toContain('hasNextPage');
    expect(text).not.toContain('title\n');
  });

  it('retains the fields that the location needs, and the errors', () => {
    const text = pruned('CreateBook', 'title', { body: { title: 'x' } });
    expect(text).toMatch(/id\n\s+title/);
    expect(text).toContain('message');
  });

  it('returns a valid operation for any choice of names, in any order', () => {
    const names = ['id', 'title', 'pages', 'price', 'genre', 'tags', 'note', 'writer', 'writer.id', 'writer.name', 'relatedIds'];
    fc.assert(
      fc.property(
        fc.constantFrom('GetBook', 'ListBooks', 'ListShelfBooks'),
        fc.shuffledSubarray(names, { minLength: 1 }),
        (operation, chosen) => {
          const input = { path: ['1'] };
          const text = pruned(operation, chosen.join(), input);
          expect(validate(librarySchema, parse(text))).toEqual([]);
          expect(pruned(operation, chosen.toReversed().join(), input)).toBe(text);
        },
      ),
    );
  });
});
