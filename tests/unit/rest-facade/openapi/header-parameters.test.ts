import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { readIdempotencyKey } from '../../../../gateway/platform/http/request/idempotency-key.ts';
import { compileRoutes } from '../../../../rest-facade/index.ts';
import { HEADER_PARAMETERS, headerParameters } from '../../../../rest-facade/openapi/header-parameters.ts';
import { readPreconditions } from '../../../../rest-facade/request/conditional/preconditions.ts';
import { BY_ID, ERRORS } from '../support/document-parts.ts';
import { libraryDocuments } from '../support/library-documents.ts';
import { librarySchema } from '../support/library-graph.ts';

const { IdempotencyKey, IfMatch, IfNoneMatch } = HEADER_PARAMETERS;

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Generates values that match the pattern, and values that nearly match it. */
const near = (pattern: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('"', '\\', 'W/', 'a', '-', ' ', ',', ';', '*', '\u007f'), maxLength: 8 }),
  );

const CHARACTERS = { bare: 'x', inQuotes: ' ', escaped: '\\"' };

describe('lengths of idempotency keys', () => {
  it.each(Object.entries(CHARACTERS))('a key of %s characters is described and accepted up to 255 characters', (kind, one) => {
    const { pattern, maxLength } = IdempotencyKey.schema;
    const quote = kind === 'bare' ? '' : '"';
    for (const [length, isUsed] of [
      [1, true],
      [255, true],
      [256, false],
    ] as const) {
      const key = quote + one.repeat(length) + quote;
      expect(isRead(() => readIdempotencyKey(key))).toBe(isUsed);
      expect(new RegExp(pattern, 'u').test(key) && key.length <= maxLength).toBe(isUsed);
    }
  });
});

describe('conditional headers', () => {
  const GET_AND_WRITES = `query Read(${BY_ID}) @endpoint(method: GET, path: "/others/{book_id}") { book(id: $id) @result { id version @version @internal } }
    mutation Write(${BY_ID}, $patch: UpdateBookInput! @body, $v: Int @ifMatch(required: true)) @endpoint(method: PATCH, path: "/others/{book_id}") {
      updateBook(id: $id, patch: $patch, expectedVersion: $v) { book @result { id version @version @internal } ${ERRORS} }
    }`;
  const { routes } = compileRoutes([...libraryDocuments, { path: 'conditions.graphql', text: GET_AND_WRITES }], librarySchema);
  const describedAt = (name: string) => {
    const route = routes.find(({ operationName }) => operationName === name);
    if (route === undefined) throw new Error(`The operation ${name} does not exist.`);
    return headerParameters(route).map((parameter) => ('$ref' in parameter ? parameter.$ref.split('/').at(-1) : parameter.name));
  };

  it('a read has all conditions, and a versioned write has all that it applies', () => {
    expect(describedAt('Read')).toEqual(expect.arrayContaining(['IfMatchOfReads', 'IfUnmodifiedSince', 'IfNoneMatch', 'IfModifiedSince']));
    expect(describedAt('Write')).toEqual(expect.arrayContaining(['If-Match', 'IfUnmodifiedSince', 'IfNoneMatchOfWrites']));
    expect(describedAt('Write')).not.toContain('IfModifiedSince');
    expect(describedAt('Charge').join()).not.toMatch(/If-|If(?:None)?Match/);
  });

  it('only a counted collection has the preference `count=none`', () => {
    expect(describedAt('ListShelfBooks')).toContain('PreferOfPages');
    expect(describedAt('Read')).toContain('PreferOfReads');
    expect(
      [HEADER_PARAMETERS.PreferOfPages, HEADER_PARAMETERS.PreferOfReads].map(({ description }) => description.includes('count=none')),
    ).toEqual([true, false]);
  });
});

describe('patterns of headers', () => {
  it('an idempotency key is accepted exactly when it matches the pattern', () => {
    const pattern = new RegExp(IdempotencyKey.schema.pattern, 'u');
    fc.assert(fc.property(near(IdempotencyKey.schema.pattern), (key) => isRead(() => readIdempotencyKey(key)) === pattern.test(key)));
  });

  it.each([
    ['if-match', IfMatch],
    ['if-none-match', IfNoneMatch],
  ])('a tag list for %s that matches the pattern is accepted', (name, { schema }) => {
    const described = fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength: 60 });
    fc.assert(fc.property(described, (tags) => isRead(() => readPreconditions({ [name]: tags }, false))));
  });

  it.each(['x', '"a', '"a" "b"', '"a b"', 'w/"a"', '"a",*', '"\u007f"', ''])(
    'the tags %s neither match the pattern nor are accepted',
    (tags) => {
      expect(new RegExp(IfMatch.schema.pattern, 'u').test(tags)).toBe(false);
      expect(isRead(() => readPreconditions({ 'if-match': tags }, false))).toBe(false);
    },
  );
});
