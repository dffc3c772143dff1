import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectJson, expectError, type FlatError, type RestOrder } from '../support/rest/rest-expectations.ts';
import { describeOnStack, uniqueName } from '../support/stack/shared-stack.ts';

const LONE_SURROGATE = '\ud800';

describeOnStack('hostile input', ({ http, graphql, tokens, newUser, newOrder }) => {
  describe('text', () => {
    const CREATE = 'mutation ($input: CreatePostInput!) { createPost(input: $input) { title body tags } }';

    it.each([
      ['combining marks', `Z${'\u0351'.repeat(50)}algo`],
      ['right to left', '\u202egnp.exe'],
      ['beyond the first plane', '👩‍👩‍👧‍👦 𝕏 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
      ['markup', '<img src=x onerror=alert(1)>&amp;"\'`'],
      ['line separators', 'a\u2028b\u2029c'],
      ['control characters', 'a\u0001\u0008\u001b[31mb\u007f'],
      ['escapes', '\\u0000 \\n %00 %n ${7*7} {{7*7}} #{7*7}'],
      ['SQL', "'); drop schema posts cascade; --"],
      ['JSON', '{"a":[1,{"b":null}]}'],
      ['a byte order mark inside', 'a\ufeffb'],
      ['non-characters', 'a\uffff\ufffe'],
    ])('a title of %s is stored unchanged or rejected', async (_title, text) => {
      const { token } = await newUser();
      const title = text.slice(0, 200).trim();
      const { status, data, codes } = await graphql(CREATE, { variables: { input: { title, body: text, tags: ['x'] } }, token });
      expect(status).toBe(200);
      if (codes.length === 0) expect(data).toEqual({ createPost: { title, body: text, tags: ['x'] } });
      else expect(codes).toEqual(['BAD_USER_INPUT']);
    });

    it.each([
      ['NUL', 'a\u0000b'],
      ['a lone surrogate', `a${LONE_SURROGATE}b`],
      ['white space', ' \t\n'],
      ['nothing', ''],
      ['201 characters', 'x'.repeat(201)],
    ])('a title of %s is BAD_USER_INPUT', async (_title, title) => {
      const { token } = await newUser();
      expect((await graphql(CREATE, { variables: { input: { title, body: 'b' } }, token })).codes).toEqual(['BAD_USER_INPUT']);
    });

    it.each<[string, unknown]>([
      ['eleven of them', Array.from({ length: 11 }, (_, index) => `t${String(index)}`)],
      ['a hundred thousand of them', Array.from({ length: 100_000 }, () => 't')],
      ['an empty one', ['']],
      ['one that is too long', ['x'.repeat(41)]],
      ['one with NUL', ['a\u0000']],
      ['null among them', ['a', null]],
      ['lists of them', [['a']]],
    ])('tags that are %s are BAD_USER_INPUT', async (_title, tags) => {
      const { token } = await newUser();
      expect((await graphql(CREATE, { variables: { input: { title: 't', body: 'b', tags } }, token })).codes[0]).toBe('BAD_USER_INPUT');
    });

    it.each([
      'NUL\u0000',
      LONE_SURROGATE,
      'x'.repeat(100_000),
      '%',
      '\\',
      "' or true",
      '%%%%%',
      '_'.repeat(100),
      '\u0000',
      '*',
      '(',
      '!!',
      '& | !',
      ':*',
      '<->',
    ])('a search for %j returns a result or BAD_USER_INPUT', async (term) => {
      const { status, codes } = await graphql('query ($t: String!) { search(term: $t, first: 5) { __typename } }', {
        variables: { t: term },
      });
      expect(status).toBe(200);
      for (const code of codes) expect(code).toBe('BAD_USER_INPUT');
    });

    it.each([
      'no-at',
      'a@',
      '@b',
      'a@b@c',
      'a b@c.de',
      'a@b.de\n',
      'a@b.de\u0000',
      `${'x'.repeat(400)}@b.de`,
      '"<script>"@b.de',
      'a@b.de,c@d.ef',
      'a@b.de\r\nBcc: c@d.ef',
      '',
    ])('the e-mail address %j is rejected, and the error names the field', async (email) => {
      const { status, data, codes } = await graphql<{ createUser: { user: unknown; errors: readonly { field: string; code: string }[] } }>(
        'mutation ($e: String!) { createUser(input: { name: "N", email: $e }) { user { id } errors { field code } } }',
        { variables: { e: email } },
      );
      expect(status).toBe(200);
      if (codes.length > 0) expect(codes).toEqual(['BAD_USER_INPUT']);
      else
        expect(data?.createUser).toMatchObject({
          user: null,
          errors: [{ code: 'BAD_USER_INPUT', field: expect.stringContaining('email') }],
        });
    });
  });

  describe('numbers', () => {
    it.each(['1e400', '-1e400', '1e-400', '-0', '0.1e1', '1E2', '12.345', '99999.999', '1e308', '0.00000001', '100000.001'])(
      'the price %s is stored with its value or rejected',
      async (price) => {
        const body = `{"title":"${uniqueName('Number')}","author":"A","price":${price}}`;
        const headers = { 'content-type': 'application/json' };
        const response = await http.send<{ price: number }>({ method: 'POST', path: '/books', body, headers, token: tokens.admin });
        if (response.status === 201) expect(response.body.price).toBeCloseTo(Number(price), 2);
        else expect(response.status).toBe(400);
      },
    );

    it('the total of the largest allowed order is exact', async () => {
      const book = await http.post<{ id: number }>(
        '/books',
        { title: uniqueName('Dear'), author: 'A', price: 99_999.99 },
        { token: tokens.admin },
      );
      const owner = await newUser();
      const response = await http.post<RestOrder>('/orders', { productId: book.body.id, qty: 1_000 }, { token: owner.token });
      expectJson(response, 201);
      expect(response.body.total).toBe(99_999_990);
    });

    it('the total of prices that floating point adds badly is exact', async () => {
      const book = await http.post<{ id: number }>(
        '/books',
        { title: uniqueName('Cents'), author: 'A', price: 0.07 },
        { token: tokens.admin },
      );
      const owner = await newUser();
      expect((await http.post<RestOrder>('/orders', { productId: book.body.id, qty: 3 }, { token: owner.token })).body.total).toBe(0.21);
    });

    it.each([-1, 0, 2_147_483_647])('the expected version %d is a mismatch or bad input', async (expectedVersion) => {
      const owner = await newUser();
      const id = String(await newOrder(owner));
      const { data, codes } = await graphql<{ cancelOrder: { order: unknown; errors: readonly { code: string }[] } }>(
        'mutation ($id: ID!, $v: Int) { cancelOrder(id: $id, expectedVersion: $v) { order { id } errors { code } } }',
        { variables: { id, v: expectedVersion }, token: owner.token },
      );
      const code = codes[0] ?? data?.cancelOrder.errors[0]?.code;
      expect(['VERSION_MISMATCH', 'BAD_USER_INPUT']).toContain(code);
    });
  });

  describe('keys and cursors', () => {
    it.each(['', '\u0000', LONE_SURROGATE, 'x'.repeat(100_000), 'ü', "';--", '   '])(
      'the idempotency key %j of a payment through the graph is used or rejected',
      async (idempotencyKey) => {
        const { token } = await newUser();
        const { status, data, codes } = await graphql<{ createPayment: { payment: unknown; errors: readonly { code: string }[] } }>(
          'mutation ($k: String!) { createPayment(input: { amount: 5, currency: "EUR" }, idempotencyKey: $k) { payment { id } errors { code } } }',
          { variables: { k: idempotencyKey }, token },
        );
        expect(status).toBe(200);
        for (const code of [...codes, ...(data?.createPayment.errors ?? []).map((error) => error.code)])
          expect(['BAD_USER_INPUT', 'IDEMPOTENCY_KEY_INVALID']).toContain(code);
      },
    );

    it('the key of an order returns 422 for a payment, and nothing is charged', async () => {
      const { token } = await newUser();
      const headers = { 'idempotency-key': randomUUID() };
      expectJson(await http.post('/orders', { productId: 1, qty: 1 }, { token, headers }), 201);
      const payment = { amount: 5, currency: 'EUR' };
      expectError(await http.post('/payments', payment, { token, headers }), 422, 'IDEMPOTENCY_KEY_REUSED');
      expectJson(await http.post('/payments', payment, { token, headers: { 'idempotency-key': randomUUID() } }), 201);
    });

    it('forged cursors are rejected or harmless', async () => {
      const { data } = await graphql<{ books: { pageInfo: { endCursor: string } } }>(
        '{ books(first: 2, sort: [{ field: PRICE }]) { pageInfo { endCursor } } }',
      );
      const cursor = data?.books.pageInfo.endCursor ?? '';
      const plain = Buffer.from(cursor, 'base64url').toString();
      const forged = [
        plain,
        cursor.slice(1),
        `${cursor}A`,
        cursor.toUpperCase(),
        ...[
          plain.replace(/\d+/, "1' or 1=1 --"),
          plain.replace(/\d+/, 'null'),
          plain.replace(/"[^"]*"/, '{"a":1}'),
          plain.replace(/"[^"]*"/, '"PASSWORD ASC"'),
          plain.replaceAll(/"\d+(\.\d+)?"/g, '"9".repeat(400)'),
          plain.replaceAll(/"\d+(\.\d+)?"/g, '"NaN"'),
          plain.replaceAll(/"\d+(\.\d+)?"/g, '"\\u0000"'),
          '[]',
          '{}',
          'null',
          '1',
          '["__proto__"]',
          '['.repeat(10_000),
          JSON.stringify(Array.from({ length: 10_000 }, () => 1)),
        ].map((text) => Buffer.from(text).toString('base64url')),
      ];
      for (const after of forged) {
        for (const field of ['books', 'users', 'posts']) {
          const query = `query ($after: String) { ${field}(first: 2, after: $after) { nodes { id } } }`;
          const { status, codes } = await graphql(query, { variables: { after } });
          expect(status).toBe(200);
          for (const code of codes)
            expect({ after: after.slice(0, 40), field, code }).toEqual({ after: after.slice(0, 40), field, code: 'BAD_USER_INPUT' });
        }
      }
    });
  });

  describe('GET /graphql', () => {
    const at = (parameters: string) => http.get(`/graphql?${parameters}`);
    const query = `query=${encodeURIComponent('query Q($id: ID!) { book(id: $id) { id } }')}`;

    it.each([
      ['no query', ''],
      ['an empty query', 'query='],
      ['variables that are no JSON', `${query}&variables=nonsense`],
      ['variables that are a list', `${query}&variables=${encodeURIComponent('[1]')}`],
      ['variables that are text', `${query}&variables=${encodeURIComponent('"x"')}`],
      ['variables with __proto__', `${query}&variables=${encodeURIComponent('{"__proto__":{"id":"1"},"id":"1"}')}`],
      ['extensions that are no JSON', `${query}&extensions=nonsense`],
      ['the query twice', `${query}&${query}`],
      ['the variables twice', `${query}&variables=%7B%7D&variables=%7B%7D`],
      ['bad percents', 'query=%7B%zz%7D'],
      ['a secret', `${query}&token=hunter2`],
    ])('returns 400 for %s', async (_title, parameters) => {
      const response = await at(parameters);
      expect(response.status).toBe(400);
      expect(response.text).not.toContain('hunter2');
    });

    it('uses variables', async () => {
      const response = await at(`${query}&variables=${encodeURIComponent('{"id":"7"}')}&operationName=Q`);
      expect(response.body).toEqual({ data: { book: { id: '7' } } });
    });

    it('reads a plus as a space', async () => {
      expect((await at('query=%7B+book(id:+%221%22)+%7B+id+%7D+%7D')).body).toEqual({ data: { book: { id: '1' } } });
    });

    it('returns headers without a body for HEAD', async () => {
      const response = await http.send({ method: 'HEAD', path: '/graphql?query=%7B__typename%7D' });
      expect({ status: response.status, length: response.bytes.length }).toEqual({ status: 200, length: 0 });
    });
  });

  describe('the web page and similar paths', () => {
    it.each([
      '/graphql/',
      '/graphql/x',
      '/GRAPHQL',
      '/graphql%2f',
      '/graphql;x',
      '//graphql',
      '/graphql/../health',
      '/health/',
      '/health/x',
      '/HEALTH',
    ])('%s returns 404 or its resource, and no internal error', async (path) => {
      expect((await http.get(path)).status).toBeLessThan(500);
    });

    it.each([
      '/studio/../package.json',
      '/studio/..%2f..%2fpackage.json',
      '/studio/%2e%2e/%2e%2e/package.json',
      '/assets/../../package.json',
      '/studio/....//package.json',
      '/studio/%00',
      '/studio/\\..\\package.json',
    ])('%s returns no file outside the folder', async (path) => {
      const response = await http.get(path);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(response.text).not.toContain('"devDependencies"');
    });
  });

  it('Object.prototype in bodies and parameters does not affect the service', async () => {
    const bodies = [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"query":"{ __typename }","variables":{"__proto__":{"polluted":1}}}',
    ];
    for (const body of bodies) {
      for (const path of ['/graphql', '/orders', '/api/books']) {
        const response = await http.send({
          method: 'POST',
          path,
          body,
          headers: { 'content-type': 'application/json' },
          token: tokens.admin,
        });
        expect(response.status).toBe(400);
      }
    }
    const { text } = await graphql('{ constructor: book(id: "1") { constructor: id toString: title hasOwnProperty: __typename } }');
    expect(text).toMatch(/^\{"data":\{"constructor":\{"constructor":"1","toString":"[^"]+","hasOwnProperty":"Book"\}\}\}$/);
    expect((await graphql('{ __proto__: book(id: "1") { id } }')).codes).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expectJson(await http.get('/books/1'), 200);
  });

  it('details of an invalid body have every error, with names that the client knows', async () => {
    const response = await http.post<FlatError>('/books', { title: '', price: -1, x: 1 }, { token: tokens.admin });
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body.details?.length ?? 0).toBeGreaterThanOrEqual(1);
    for (const { field } of response.body.details ?? []) expect(['title', 'price', 'x', 'author']).toContain(field);
  });
});
