import { describe, expect, it } from '@jest/globals';
import { expectError, MOUNTS } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

describeOnStack('unknown paths', ({ http, tokens }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    it.each([
      ['an unknown resource', '/nothing'],
      ['a resource below a book', '/books/1/pages'],
      ['a resource below an order', '/orders/1/shipment'],
      ['a capital letter', '/Books/1'],
      ['capital letters', '/BOOKS'],
      ['two slashes', '//books/1'],
      ['two slashes inside', '/books//1'],
      ['a path that only starts like a resource', '/bookshelf'],
      ['a dot segment', '/books/../books/1'],
      ['a percent-encoded dot segment', '/books/%2e%2e/users/1'],
      ['a backslash', '/books\\1'],
      ['a semicolon', '/books;id=1'],
      ['a file of the system', '/etc/passwd'],
      ['a dotfile', '/.env'],
      ['a source file', '/package.json'],
      ['a mount below the mount', mount === '' ? '/api/api/books' : '/api/books'],
      ['the graph below a mount', mount === '' ? '/api/graphql' : '/graphql'],
    ])('returns 404 for %s (%s)', async (_title, path) => {
      expectError(await http.get(`${mount}${path}`), 404, 'NOT_FOUND');
    });

    it.each([
      ['a letter', 'abc'],
      ['a number and a letter', '1a'],
      ['zero', '0'],
      ['a leading zero', '01'],
      ['a negative number', '-1'],
      ['a plus', '+1'],
      ['a percent-encoded plus', '%2B1'],
      ['a fraction', '1.0'],
      ['an exponent', '1e3'],
      ['hexadecimal', '0x1'],
      ['a trailing space', '1%20'],
      ['a leading space', '%201'],
      ['a comma', '1,2'],
      ['2^53', '9007199254740992'],
      ['2^63', '9223372036854775808'],
      ['a hundred digits', '9'.repeat(100)],
      ['an encoded slash', '1%2F2'],
      ['only an encoded slash', '%2F'],
      ['an encoded backslash', '1%5C2'],
      ['NUL', '%00'],
      ['NUL after a number', '1%00'],
      ['a new line', '1%0A'],
      ['a carriage return and new line', '1%0D%0ASet-Cookie:%20a=b'],
      ['an encoded dot', '%2e'],
      ['two encoded dots', '%2e%2e'],
      ['a doubly encoded slash', '%252F'],
      ['a full-width digit', '%EF%BC%91'],
      ['an Arabic digit', '%D9%A1'],
      ['a quotation mark', "1'--"],
      ['SQL', '1%20OR%201=1'],
      ['GraphQL', '1%22)%7B__typename%7D'],
      ['a template', '$%7B7*7%7D'],
      ['a prototype', '__proto__'],
      ['a constructor', 'constructor'],
      ['null', 'null'],
      ['undefined in capitals', 'UNDEFINED'],
      ['true', 'true'],
      ['a colon', ':book_id'],
      ['a star', '*'],
      ['braces', '%7Bbook_id%7D'],
    ])('returns 404 for an ID that is %s (%s)', async (_title, id) => {
      expectError(await http.get(`${mount}/books/${id}`), 404, 'NOT_FOUND');
      expectError(await http.get(`${mount}/users/${id}/orders`, { token: tokens.admin }), 404, 'NOT_FOUND');
    });

    it.each(['%', '%2', '%zz', '%E0%A4%A', '%C0%AF', '%FF', '%ED%A0%80', '1%'])(
      'returns 400 for malformed percent-encoding (%s)',
      async (id) => {
        expectError(await http.get(`${mount}/books/${id}`), 400, 'BAD_REQUEST');
      },
    );

    it('accepts 2^53 - 1 as the ID of an unknown object', async () => {
      expectError(await http.get(`${mount}/books/9007199254740991`), 404, 'NOT_FOUND');
      expectError(await http.get(`${mount}/orders/9007199254740991`, { token: tokens.admin }), 404, 'NOT_FOUND');
    });
  });

  it('returns 414 for a URL that is too long', async () => {
    expectError(await http.get(`/books?fields=${'a'.repeat(9_000)}`), 414, 'URI_TOO_LONG');
  });

  it('returns 404 for an unknown path before it rejects an invalid token', async () => {
    expectError(await http.get('/nothing', { token: 'nonsense' }), 404, 'NOT_FOUND');
  });

  it('returns the resource when the path has a trailing slash', async () => {
    const [one, other] = [await http.get('/books/1/'), await http.get('/books/1')];
    expect(one.status).toBe(200);
    expect(one.body).toEqual(other.body);
  });
});
