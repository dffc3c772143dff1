import { describe, expect, it } from '@jest/globals';
import { readManifest } from '../../../../gateway/persisted/read-manifest.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';
import { indexDocuments } from '../../../../gateway/persisted/trusted-documents.ts';

const apollo = (operations: unknown, more: object = {}) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations, ...more });

describe('readManifest', () => {
  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a number', '1'],
    ['null', 'null'],
    ['a text', '"{ a }"'],
    ['a list of texts', '["{ a }"]'],
    ['an id with a number', '{"a":1}'],
    ['an id with nothing', '{"a":""}'],
    ['an empty id', '{"":"{ a }"}'],
    ['an id of 257 characters', JSON.stringify({ ['a'.repeat(257)]: '{ a }' })],
    ['half a hash', '{"sha256:abc":"{ a }"}'],
    ['another version', apollo([], { version: 2 })],
    ['another format', apollo([], { format: 'other' })],
    ['operations that are none', apollo({})],
    ['an operation without an id', apollo([{ body: '{ a }' }])],
    ['an operation without a body', apollo([{ id: 'a' }])],
    ['a client without a name', apollo([], { client: { version: '1' } })],
  ])('given %s, when it is read, then it is refused', (_what, text) => {
    expect(() => readManifest('manifest.json', text, 'web')).toThrow();
  });

  it.each([
    ['of Apollo', apollo([{ id: 'a', name: 'A', type: 'query', body: '{ a }' }]), [{ id: 'a', text: '{ a }', client: 'web' }]],
    [
      'of Apollo, with its client',
      apollo([{ id: 'a', body: '{ a }' }], { client: { name: 'ios', version: '1.2' } }),
      [{ id: 'a', text: '{ a }', client: 'ios@1.2' }],
    ],
    [
      'of Apollo, with the client of an operation',
      apollo([{ id: 'a', body: '{ a }', clientName: 'tv' }]),
      [{ id: 'a', text: '{ a }', client: 'tv' }],
    ],
    [
      'of Relay',
      '{"5d41402abc4b2a76b9719d911017c592":"{ a }"}',
      [{ id: '5d41402abc4b2a76b9719d911017c592', text: '{ a }', client: 'web' }],
    ],
    [
      'of pairs',
      '[["a","{ a }"],["b","{ b }"]]',
      [
        { id: 'a', text: '{ a }', client: 'web' },
        { id: 'b', text: '{ b }', client: 'web' },
      ],
    ],
    [
      'with hashes in every form',
      JSON.stringify({ [`sha256:${'A'.repeat(64)}`]: '{ a }' }),
      [{ id: 'a'.repeat(64), text: '{ a }', client: 'web' }],
    ],
    ['of nothing', '{}', []],
  ])('given a manifest %s, when it is read, then its documents are there', (_what, text, documents) => {
    expect(readManifest('manifest.json', text, 'web')).toEqual(documents);
  });

  it.each([['a.graphql'], ['a.gql']])('given %s, when it is read, then it is one document by the hash of all that it has', (path) => {
    const text = 'query A { a }\nquery B { b }\n';
    expect(readManifest(path, text, 'web')).toEqual([{ id: sha256Of(text), text, client: 'web' }]);
  });
});

describe('indexDocuments', () => {
  const one = { id: 'one', text: '{ a }', client: 'web' };

  it('given one id for two documents, when they are put together, then both clients are named', () => {
    expect(() => indexDocuments([one, { id: 'one', text: '{ b }', client: 'ios' }])).toThrow(/"one".*web.*ios/);
  });

  it('given one document of two clients, when it is asked for by either id or by its hash, then it is there, and counted once', () => {
    const index = indexDocuments([one, { ...one, client: 'ios' }, { id: 'two', text: '{ a }', client: 'tv' }]);
    for (const id of ['one', 'two', sha256Of('{ a }')]) expect(index.textOf(id)).toBe('{ a }');
    expect(index.all()).toEqual([one]);
  });

  it.each([['toString'], ['__proto__'], ['constructor'], ['three'], ['']])(
    'given no document "%s", when it is asked for, then there is none',
    (id) => {
      expect(indexDocuments([one]).textOf(id)).toBeUndefined();
    },
  );

  it('given a text with another space, when it is looked for, then it is another text', () => {
    const index = indexDocuments([one]);
    expect(index.has('{ a }')).toBe(true);
    expect(index.has('{ a } ')).toBe(false);
  });
});
