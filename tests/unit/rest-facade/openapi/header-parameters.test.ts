import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { readIdempotencyKey } from '../../../../gateway/platform/http/request/idempotency-key.ts';
import { compileRoutes } from '../../../../rest-facade/index.ts';
import { HEADER_PARAMETERS, headerParameters } from '../../../../rest-facade/openapi/header-parameters.ts';
import { readPreconditions } from '../../../../rest-facade/request/read-preconditions.ts';
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

/** What has the pattern, and what nearly has it. */
const near = (pattern: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 }),
    fc.string({ unit: fc.constantFrom('"', '\\', 'W/', 'a', '-', ' ', ',', ';', '*', '\u007f'), maxLength: 8 }),
  );

const CHARACTERS = { bare: 'x', inQuotes: ' ', escaped: '\\"' };

describe('lengths of keys', () => {
  it.each(Object.entries(CHARACTERS))(
    'given a key of characters that are %s, when it is as long as is read, then it is described; longer, it is not',
    (kind, one) => {
      const { pattern, maxLength } = IdempotencyKey.schema;
      const quote = kind === 'bare' ? '' : '"';
      for (const [length, isTaken] of [
        [1, true],
        [255, true],
        [256, false],
      ] as const) {
        const key = quote + one.repeat(length) + quote;
        expect(isRead(() => readIdempotencyKey(key))).toBe(isTaken);
        expect(new RegExp(pattern, 'u').test(key) && key.length <= maxLength).toBe(isTaken);
      }
    },
  );
});

describe('headers of conditions', () => {
  const GET_AND_WRITES = `query Read(${BY_ID}) @endpoint(method: GET, path: "/others/{book_id}") { book(id: $id) @result { id version @version @hide } }
    mutation Write(${BY_ID}, $patch: UpdateBookInput! @body, $v: Int @ifMatch(required: true)) @endpoint(method: PATCH, path: "/others/{book_id}") {
      updateBook(id: $id, patch: $patch, expectedVersion: $v) { book @result { id version @version @hide } ${ERRORS} }
    }`;
  const { routes } = compileRoutes([...libraryDocuments, { path: 'conditions.graphql', text: GET_AND_WRITES }], librarySchema);
  const describedAt = (name: string) => {
    const route = routes.find(({ operationName }) => operationName === name);
    if (route === undefined) throw new Error(`There is no ${name}.`);
    return headerParameters(route).map((parameter) => ('$ref' in parameter ? parameter.$ref.split('/').at(-1) : parameter.name));
  };

  it('given what is read, when described, then all conditions are; and given a write over a version, all that it heeds', () => {
    expect(describedAt('Read')).toEqual(expect.arrayContaining(['IfMatchOfReads', 'IfUnmodifiedSince', 'IfNoneMatch', 'IfModifiedSince']));
    expect(describedAt('Write')).toEqual(expect.arrayContaining(['If-Match', 'IfUnmodifiedSince', 'IfNoneMatchOfWrites']));
    expect(describedAt('Write')).not.toContain('IfModifiedSince');
    expect(describedAt('Charge').join()).not.toMatch(/If-|If(?:None)?Match/);
  });

  it('given a collection that is counted, when described, then the preference not to count is, and nowhere else', () => {
    expect(describedAt('ListShelfBooks')).toContain('PreferOfPages');
    expect(describedAt('Read')).toContain('PreferOfReads');
    expect(
      [HEADER_PARAMETERS.PreferOfPages, HEADER_PARAMETERS.PreferOfReads].map(({ description }) => description.includes('count=none')),
    ).toEqual([true, false]);
  });
});

describe('patterns of headers', () => {
  it('given a key that is described, when it is sent, then it is read; and given one that is not, then it is refused', () => {
    const pattern = new RegExp(IdempotencyKey.schema.pattern, 'u');
    fc.assert(fc.property(near(IdempotencyKey.schema.pattern), (key) => isRead(() => readIdempotencyKey(key)) === pattern.test(key)));
  });

  it.each([
    ['if-match', IfMatch],
    ['if-none-match', IfNoneMatch],
  ])('given a list of tags for %s that is described, when it is sent, then it is read', (name, { schema }) => {
    const described = fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength: 60 });
    fc.assert(fc.property(described, (tags) => isRead(() => readPreconditions({ [name]: tags }, false))));
  });

  it.each(['x', '"a', '"a" "b"', '"a b"', 'w/"a"', '"a",*', '"\u007f"', ''])(
    'given the tags %s, when they are sent, then they are neither described nor read',
    (tags) => {
      expect(new RegExp(IfMatch.schema.pattern, 'u').test(tags)).toBe(false);
      expect(isRead(() => readPreconditions({ 'if-match': tags }, false))).toBe(false);
    },
  );
});
