import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { HttpRequest } from '../support/http/http-client.ts';
import { describeOnStack } from '../support/stack/shared-stack.ts';

/** Number of runs of each property. `RANDOM_REQUESTS` sets another one. */
const RUNS = Number(process.env['RANDOM_REQUESTS'] ?? 400);

/** Pieces of text that have a meaning for some part of the service, and some that have none. */
const PIECES = [
  ...'1 0 -1 007 1e3 9007199254740993 999999999999999999999 2147483648 1.5 NaN null true PENDING CONFIRMED pending'.split(' '),
  ...'id -id price -createdAt id,title title email * orders.nodes __proto__ constructor'.split(' '),
  ...`%00 %2F %252F %E2%80%AE %F0%9F%92%A9 %20 + % %zz %C0%AF ' " < ; .. { $ %0d%0a`.split(' '),
  '',
  'a'.repeat(300),
];
const piece = fc.constantFrom(...PIECES);
const name = fc.oneof(
  fc.constantFrom(
    'page',
    'size',
    'limit',
    'first',
    'after',
    'sort',
    'fields',
    'status',
    'userId',
    'version',
    'query',
    'variables',
    'operationName',
    'extensions',
  ),
  piece,
);
const path = fc
  .tuple(
    fc.constantFrom('', '/api', '/v1', '/api/api'),
    fc.array(fc.oneof(fc.constantFrom('users', 'orders', 'books', 'payments', 'health', 'graphql', 'studio'), piece), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.array(fc.tuple(name, piece), { maxLength: 4 }),
  )
  .map(([mount, segments, parameters]) => {
    const query = parameters.map(([key, value]) => `${key}=${value}`).join('&');
    return `${mount}/${segments.join('/')}${query === '' ? '' : `?${query}`}`;
  });

const json = fc.oneof(
  fc.record(
    {
      productId: fc.oneof(fc.integer(), fc.string(), fc.constant(1)),
      qty: fc.oneof(fc.integer(), fc.double(), fc.constant(null)),
      status: fc.oneof(piece, fc.constant('CONFIRMED')),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    { amount: fc.oneof(fc.integer(), fc.double()), currency: fc.oneof(fc.string(), fc.constant('EUR')), orderId: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.record(
    { title: fc.string({ unit: 'binary' }), author: fc.string(), price: fc.double(), inStock: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.record({ name: fc.string({ unit: 'grapheme' }), email: fc.emailAddress(), age: fc.integer() }, { requiredKeys: [] }),
  fc.record(
    { query: fc.oneof(fc.string(), fc.constant('{ __typename }')), variables: fc.jsonValue(), operationName: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

/** Header value of visible ASCII, which is all that Node sends. */
const headerValue = fc.stringMatching(/^[ -~]{0,40}$/).map((value) => value.trim());
const headers = fc.record(
  {
    accept: fc.oneof(
      headerValue,
      fc.constantFrom('*/*', 'application/json', 'application/graphql-response+json', 'text/html', 'text/event-stream'),
    ),
    'content-type': fc.oneof(
      headerValue,
      fc.constantFrom('application/json', 'application/merge-patch+json', 'text/plain', 'application/json; charset=latin1'),
    ),
    'content-encoding': fc.constantFrom('gzip', 'br', 'identity', 'nonsense'),
    'idempotency-key': headerValue,
    'if-match': headerValue,
    'if-none-match': headerValue,
    prefer: headerValue,
    range: headerValue,
    authorization: headerValue,
    'accept-encoding': headerValue,
    'x-correlation-id': headerValue,
  },
  { requiredKeys: [] },
);

describeOnStack('random requests', ({ http, tokens }) => {
  const reader = fc.constantFrom(undefined, tokens.user1, tokens.admin);
  // Writing callers must not affect data that other tests read, so no administrator writes, and nothing is replaced or removed.
  const writer = fc.constantFrom(undefined, tokens.user1);
  const request: fc.Arbitrary<HttpRequest> = fc.oneof(
    fc.record({ method: fc.constantFrom('GET', 'HEAD', 'OPTIONS'), path, headers, token: reader }),
    fc.record({ method: fc.constantFrom('GET', 'HEAD', 'POST'), path, json, token: writer }),
    fc.record({ method: fc.constant('POST'), path, headers, json, token: writer }),
    fc.record({
      method: fc.constant('POST'),
      path,
      body: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      headers,
      token: writer,
    }),
  );

  it('get a complete response without leaks and internal errors', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const isBodyOnGet = (sent.method === 'GET' || sent.method === 'HEAD') && (sent.json !== undefined || sent.body !== undefined);
        const response = await http.send(sent);
        expect(response.status).toBeGreaterThanOrEqual(200);
        expect(response.status).toBeLessThan(500);
        if (isBodyOnGet) expect(response.status).toBe(400);
      }),
      { numRuns: RUNS },
    );
  });

  const word = fc.constantFrom(
    ...'{ } ( ) [ ] ... : $ @ ! = | & " """ # , \\u0000 - 0 1 1e999 2147483648 null true \n'.split(' '),
    ...'query mutation subscription fragment on F user users id name email posts orders nodes first filter sort $id ID Int'.split(' '),
    ...'__typename __schema __type types _service _entities skip include if defer stream User Node SearchResult search term'.split(' '),
  );
  const GOOD = [
    '{ user ( id : "1" ) { name posts ( first : 2 ) { title } } }',
    'query Q ( $id : ID ! ) { order ( id : $id ) { status product { ...F } } } fragment F on Book { title }',
    '{ search ( term : "a" , first : 3 ) { __typename ... on User { name } ... on Post @skip ( if : false ) { title } } }',
  ];
  const document = fc
    .tuple(
      fc.constantFrom(...GOOD),
      fc.array(fc.tuple(fc.nat(60), fc.constantFrom('drop', 'insert', 'replace', 'double'), word), { minLength: 1, maxLength: 4 }),
    )
    .map(([good, changes]) => {
      const words = good.split(' ');
      for (const [at, change, other] of changes) {
        const index = at % words.length;
        const old = words[index] ?? '';
        words.splice(index, 1, ...{ drop: [], insert: [old, other], replace: [other], double: [old, old] }[change]);
      }
      return words.join(' ');
    });

  it('with a damaged document get a result or an error, without leaks and internal errors', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.jsonValue(), reader, async (query, value, token) => {
        const response = await http.post<{ data?: unknown; errors?: unknown }>('/graphql', { query, variables: { id: value } }, { token });
        expect([200, 400, 405]).toContain(response.status);
        expect(response.body.data !== undefined || Array.isArray(response.body.errors)).toBe(true);
        expect(response.text).not.toContain('INTERNAL_SERVER_ERROR');
      }),
      { numRuns: RUNS },
    );
  });
});
