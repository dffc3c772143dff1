import { describe, expect, it } from '@jest/globals';
import { readManifest } from '../../../../gateway/persisted/read-manifest.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';
import { indexDocuments } from '../../../../gateway/persisted/trusted-documents.ts';

const apollo = (operations: unknown, more: object = {}) =>
  JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations, ...more });

describe('readManifest', () => {
  it.each([
    ['invalid JSON', '{'],
    ['an empty file', ''],
    ['a number', '1'],
    ['null', 'null'],
    ['a text', '"{ a }"'],
    ['a list of texts', '["{ a }"]'],
    ['an id with a number', '{"a":1}'],
    ['an id with an empty text', '{"a":""}'],
    ['an empty id', '{"":"{ a }"}'],
    ['an id of 257 characters', JSON.stringify({ ['a'.repeat(257)]: '{ a }' })],
    ['half a hash', '{"sha256:abc":"{ a }"}'],
    ['another version', apollo([], { version: 2 })],
    ['another format', apollo([], { format: 'other' })],
    ['operations that are not a list', apollo({})],
    ['an operation without an id', apollo([{ body: '{ a }' }])],
    ['an operation without a body', apollo([{ id: 'a' }])],
    ['a client without a name', apollo([], { client: { version: '1' } })],
  ])('rejects %s', (_what, text) => {
    expect(() => readManifest('manifest.json', text, 'web')).toThrow();
  });

  it.each([
    [
      'in the format of Apollo',
      apollo([{ id: 'a', name: 'A', type: 'query', body: '{ a }' }]),
      [{ id: 'a', text: '{ a }', client: 'web' }],
    ],
    [
      'in the format of Apollo, with its client',
      apollo([{ id: 'a', body: '{ a }' }], { client: { name: 'ios', version: '1.2' } }),
      [{ id: 'a', text: '{ a }', client: 'ios@1.2' }],
    ],
    [
      'in the format of Apollo, with the client of an operation',
      apollo([{ id: 'a', body: '{ a }', clientName: 'tv' }]),
      [{ id: 'a', text: '{ a }', client: 'tv' }],
    ],
    [
      'in the format of Relay',
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
      'with a prefixed uppercase hash',
      JSON.stringify({ [`sha256:${'A'.repeat(64)}`]: '{ a }' }),
      [{ id: 'a'.repeat(64), text: '{ a }', client: 'web' }],
    ],
    ['without documents', '{}', []],
  ])('reads the documents of a manifest %s', (_what, text, documents) => {
    expect(readManifest('manifest.json', text, 'web')).toEqual(documents);
  });

  it.each([['a.graphql'], ['a.gql']])('reads %s as one document with the hash of the whole file', (path) => {
    const text = 'query A { a }\nquery B { b }\n';
    expect(readManifest(path, text, 'web')).toEqual([{ id: sha256Of(text), text, client: 'web' }]);
  });
});

describe('indexDocuments', () => {
  const one = { id: 'one', text: '{ a }', client: 'web' };

  it('names both clients when one id is used for two documents', () => {
    expect(() => indexDocuments([one, { id: 'one', text: '{ b }', client: 'ios' }])).toThrow(/"one".*web.*ios/);
  });

  it('finds a document of two clients by any id or its hash and counts it once', () => {
    const index = indexDocuments([one, { ...one, client: 'ios' }, { id: 'two', text: '{ a }', client: 'tv' }]);
    for (const id of ['one', 'two', sha256Of('{ a }')]) expect(index.textOf(id)).toBe('{ a }');
    expect(index.all()).toEqual([one]);
  });

  it.each([['toString'], ['__proto__'], ['constructor'], ['three'], ['']])('returns undefined for the unknown id "%s"', (id) => {
    expect(indexDocuments([one]).textOf(id)).toBeUndefined();
  });

  it('distinguishes texts that differ only in a space', () => {
    const index = indexDocuments([one]);
    expect(index.has('{ a }')).toBe(true);
    expect(index.has('{ a } ')).toBe(false);
  });
});
