import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bind, catchRejection } from '../../support/bind-library.ts';

describe('invalid query strings', () => {
  it.each([
    ['size=0', 'INVALID_PARAMETER', '"size" must be an integer, 1 or greater.'],
    ['size=1.5', 'INVALID_PARAMETER', '"size" must be an integer, 1 or greater.'],
    ['size=', 'INVALID_PARAMETER', '"size" must be an integer, 1 or greater.'],
    ['limit=-1', 'INVALID_PARAMETER', '"limit" must be an integer, 1 or greater.'],
    ['page=99999999999999999999', 'INVALID_PARAMETER', '"page" must be an integer, 1 or greater.'],
    ['page=1&page=2', 'INVALID_PARAMETER', '"page" must not be repeated.'],
    ['page=502', 'PAGE_TOO_DEEP', '"page" starts after item 10000, which is the limit; use cursors with "first" and "after" instead.'],
    ['page=9007199254740991', 'PAGE_TOO_DEEP', expect.anything()],
    [
      'page=1&first=5',
      'PAGINATION_CONFLICT',
      '"first" belongs to cursor pagination, but "page" belongs to page numbers; use only one kind of pagination.',
    ],
    ['limit=5&after=x', 'PAGINATION_CONFLICT', expect.anything()],
    ['after=', 'INVALID_PARAMETER', '"after" must not be empty.'],
    ['after=%00', 'INVALID_PARAMETER', '"after" must not contain control characters.'],
    ['sort=', 'INVALID_PARAMETER', expect.stringContaining('the allowed keys are id, title, pageCount')],
    ['sort=--id', 'INVALID_PARAMETER', expect.anything()],
    ['sort=id,id,id,id', 'INVALID_PARAMETER', '"sort" contains more than 3 keys.'],
    ['sort=PAGE_COUNT', 'INVALID_PARAMETER', expect.anything()],
    ['sort=__proto__', 'INVALID_PARAMETER', expect.anything()],
    ['genre=NOVEL,', 'INVALID_PARAMETER', '"genre" must be one of NOVEL, POETRY.'],
    ['genre=novel', 'INVALID_PARAMETER', expect.anything()],
    ['writerId=x', 'INVALID_PARAMETER', '"writerId" must be an integer.'],
    ['writerId=1&writerId=2', 'INVALID_PARAMETER', '"writerId" must not be repeated.'],
    ['fields=', 'INVALID_PARAMETER', expect.stringContaining('the available fields are id, title')],
    ['fields=id,', 'INVALID_PARAMETER', expect.anything()],
    ['fields=title.x', 'INVALID_PARAMETER', '"fields" contains a name with a subfield of a scalar field.'],
    ['fields=writer.x', 'INVALID_PARAMETER', '"fields" contains an unknown field; the available fields are id, name, phone.'],
    ['fields=a.b.c.d.e.f', 'INVALID_PARAMETER', '"fields" contains a name with more than 5 levels.'],
    [`fields=${'id,'.repeat(50)}id`, 'INVALID_PARAMETER', '"fields" contains more than 50 names.'],
    [
      'Size=5',
      'UNKNOWN_PARAMETER',
      expect.stringContaining('"Size" is not a known parameter; the available parameters are genre, writerId, title, sort, size'),
    ],
    ['=5', 'UNKNOWN_PARAMETER', expect.anything()],
    ['%5F_proto__=5', 'UNKNOWN_PARAMETER', expect.anything()],
  ])('?%s is rejected with %s and a message that names the parameter', (query, code, message) => {
    expect(catchRejection(() => bind('ListBooks', { query }))).toEqual({ code, messages: [message] });
  });

  it('truncates a very long parameter name in the message', () => {
    const error = catchRejection(() => bind('GetBook', { query: `${'x'.repeat(8_000)}=1`, path: ['1'] }));
    expect(error?.messages[0]?.length).toBeLessThan(200);
  });
});

describe('valid query strings', () => {
  const page = { size: 20, offset: 0 };
  const sort = [
    { field: 'TITLE', direction: 'DESC' },
    { field: 'ID', direction: 'ASC' },
  ];
  it.each([
    ['', { ...page, sort }],
    ['&&', { ...page, sort }],
    ['sort=-title,title', { ...page, sort }],
    ['page=3&size=5', { size: 5, offset: 10, sort }],
    ['limit=5', { size: 5, offset: 0, sort }],
    ['size=7&limit=3', { size: 3, offset: 0, sort }],
    ['size=1000', { size: 100, offset: 0, sort }],
    ['page=501', { size: 20, offset: 10_000, sort }],
    ['first=5', { size: 5, sort }],
    ['first=500&after=abc', { size: 100, after: 'abc', sort }],
    ['after=a%2Bb', { size: 20, after: 'a+b', sort }],
    ['sort=-id', { ...page, sort: [{ field: 'ID', direction: 'DESC' }] }],
    [
      'sort=pageCount,title',
      {
        ...page,
        sort: [
          { field: 'PAGE_COUNT', direction: 'ASC' },
          { field: 'TITLE', direction: 'ASC' },
          { field: 'ID', direction: 'ASC' },
        ],
      },
    ],
    ['genre=NOVEL', { ...page, sort, genre: ['NOVEL'] }],
    ['genre=NOVEL,POETRY', { ...page, sort, genre: ['NOVEL', 'POETRY'] }],
    ['genre=NOVEL&genre=POETRY', { ...page, sort, genre: ['NOVEL', 'POETRY'] }],
    ['writerId=7', { ...page, sort, writerId: '7' }],
    ['title=a%20b+c%2C', { ...page, sort, title: 'a b c,' }],
  ])('?%s is bound to its variables', (query, variables) => {
    expect(bind('ListBooks', { query }).variables).toEqual(variables);
  });

  it('the offset is the start of the page, and a page beyond the limit is rejected', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 3_000 }), (number, size) => {
        const effective = Math.min(size, 100);
        const offset = (number - 1) * effective;
        const attempt = () => bind('ListBooks', { query: `page=${number}&size=${size}` });
        if (offset > 10_000) expect(catchRejection(attempt)?.code).toBe('PAGE_TOO_DEEP');
        else
          expect(attempt()).toMatchObject({
            variables: { size: effective, offset },
            page: { mode: 'number', page: number, size: effective },
          });
      }),
    );
  });

  it('any query string is bound or rejected with 400', () => {
    const name = fc.oneof(
      fc.constantFrom('page', 'size', 'limit', 'first', 'after', 'sort', 'fields', 'genre', 'writerId', 'title'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.oneof(fc.string(), fc.nat().map(String)))), (pairs) => {
        const error = catchRejection(() => bind('ListBooks', { query: new URLSearchParams(pairs).toString() }));
        expect(['INVALID_PARAMETER', 'UNKNOWN_PARAMETER', 'PAGINATION_CONFLICT', 'PAGE_TOO_DEEP', undefined]).toContain(error?.code);
      }),
    );
  });
});

describe('paths', () => {
  it.each(['', 'abc', '01', '-1', '1.0', '9007199254740992', '1 '])('the ID %j returns `NOT_FOUND`', (id) => {
    expect(catchRejection(() => bind('GetBook', { path: [id] }))?.code).toBe('NOT_FOUND');
  });

  it('a text ID may contain anything except control characters', () => {
    expect(catchRejection(() => bind('ListShelfBooks', { path: ['a\0'] }))?.code).toBe('NOT_FOUND');
    expect(bind('ListShelfBooks', { path: ['a/b c'] }).variables['id']).toBe('a/b c');
  });

  it('reports an invalid parameter before an invalid ID, because a retry cannot help', () => {
    expect(catchRejection(() => bind('GetBook', { path: ['x'], query: 'a=1' }))?.code).toBe('UNKNOWN_PARAMETER');
  });
});

describe('bodies and headers', () => {
  it('PUT sets absent fields to null or their default, and PATCH leaves them out', () => {
    expect(bind('ReplaceBook', { path: ['1'], body: { title: 'x' } }).variables).toEqual({
      id: '1',
      input: { title: 'x', pages: null, writerId: null },
    });
    expect(bind('UpdateBook', { path: ['1'], body: { pages: null } }).variables).toEqual({ id: '1', patch: { pages: null } });
  });

  it.each([
    [undefined, 'IDEMPOTENCY_KEY_REQUIRED'],
    ['', 'IDEMPOTENCY_KEY_INVALID'],
    ['""', 'IDEMPOTENCY_KEY_INVALID'],
    ['a b', 'IDEMPOTENCY_KEY_INVALID'],
    ['a, a', 'IDEMPOTENCY_KEY_INVALID'],
    ['a;p=1', 'IDEMPOTENCY_KEY_INVALID'],
    ['"a', 'IDEMPOTENCY_KEY_INVALID'],
    ['"a"b"', 'IDEMPOTENCY_KEY_INVALID'],
    ['a\\b', 'IDEMPOTENCY_KEY_INVALID'],
    ['é', 'IDEMPOTENCY_KEY_INVALID'],
    ['x'.repeat(256), 'IDEMPOTENCY_KEY_INVALID'],
    [`"${'x'.repeat(256)}"`, 'IDEMPOTENCY_KEY_INVALID'],
  ])('the Idempotency-Key %j is rejected with %s when a key is required', (key, code) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    expect(catchRejection(() => bind('Charge', { body: { amount: 1 }, headers }))?.code).toBe(code);
  });

  it.each([
    ['2f6ad1a4-93b1-4c58-9f8e-6f0b6d9a1c11', '2f6ad1a4-93b1-4c58-9f8e-6f0b6d9a1c11'],
    ['YWJj/+==', 'YWJj/+=='],
    ['"two words, and; more"', 'two words, and; more'],
    ['"a \\"quote\\" and \\\\"', 'a "quote" and \\'],
    ['x'.repeat(255), 'x'.repeat(255)],
  ])('reads the Idempotency-Key %j as %j', (header, key) => {
    expect(bind('Charge', { body: { amount: 1 }, headers: { 'idempotency-key': header } }).variables['key']).toBe(key);
  });

  it('an optional Idempotency-Key may be absent, but not malformed', () => {
    expect(bind('CreateBook', { body: { title: 'x' } }).variables).toEqual({ input: { title: 'x' } });
    expect(catchRejection(() => bind('CreateBook', { body: { title: 'x' }, headers: { 'idempotency-key': 'a b' } }))?.code).toBe(
      'IDEMPOTENCY_KEY_INVALID',
    );
  });
});
