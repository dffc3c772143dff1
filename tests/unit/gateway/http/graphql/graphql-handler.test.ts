import { request as sendRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../../../fixtures/library-graph.ts';

const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
  };
}

describe('/graphql', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway({ config: { server: { maxBodyBytes: 10_000 } } });
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
  });

  async function request(init: RequestInit & { query?: string } = {}): Promise<ReceivedResponse> {
    const { query = '', ...rest } = init;
    const response = await fetch(`${library.url}/graphql${query}`, rest);
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) as ReceivedResponse['body'] };
  }

  function post(body: unknown, headers: Record<string, string> = {}): Promise<ReceivedResponse> {
    return request({
      method: 'POST',
      headers: { 'content-type': JSON_TYPE, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  describe('errors', () => {
    it('returns 401 with all challenges for an anonymous idempotency key', async () => {
      const response = await post(
        { query: 'mutation { renameBook(id: 1, title: "a") { id } }' },
        { 'idempotency-key': '0123456789abcdef' },
      );
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, library.gateway.challenges]);
    });

    it.each([
      ['bad JSON', '{', 400, 'BAD_REQUEST'],
      ['no body', '', 400, 'BAD_REQUEST'],
      ['null', 'null', 400, 'BAD_REQUEST'],
      ['a string', '"{ book }"', 400, 'BAD_REQUEST'],
      ['no query', {}, 400, 'BAD_REQUEST'],
      ['an empty query', { query: '' }, 400, 'BAD_REQUEST'],
      ['a query that is a number', { query: 1 }, 400, 'BAD_REQUEST'],
      ['variables that are a list', { query: '{ __typename }', variables: [] }, 400, 'BAD_REQUEST'],
      ['a name that is an object', { query: '{ __typename }', operationName: {} }, 400, 'BAD_REQUEST'],
      ['extensions that are a string', { query: '{ __typename }', extensions: 'x' }, 400, 'BAD_REQUEST'],
      ['a `__proto__` key', '{"query":"{ __typename }","variables":{"__proto__":{}}}', 400, 'BAD_REQUEST'],
      [
        'variables that are nested too deeply',
        `{"query":"{ __typename }","variables":{"a":${'['.repeat(4_000)}${']'.repeat(4_000)}}}`,
        400,
        'BAD_REQUEST',
      ],
      ['a batch', [{ query: '{ __typename }' }], 400, 'BATCHING_DISABLED'],
      ['a subscription', { query: 'subscription { bookRenamed { id } }' }, 400, 'BAD_REQUEST'],
      ['too many bytes', { query: '{ __typename }', padding: 'x'.repeat(10_000) }, 413, 'PAYLOAD_TOO_LARGE'],
    ])('rejects %s with the same status in both media types', async (_case, body, status, code) => {
      for (const accept of [JSON_TYPE, RESPONSE_TYPE]) {
        const response = await post(body, { accept });
        expect(response).toMatchObject({ status, body: { errors: [{ extensions: { code } }] } });
        expect(response.body).not.toHaveProperty('data');
        expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
      }
    });

    it.each([
      ['a document that does not parse', { query: '{ book(' }, 'GRAPHQL_PARSE_FAILED'],
      ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
      ['a missing variable', { query: 'query ($id: ID!) { book(id: $id) { id } }' }, 'BAD_USER_INPUT'],
      ['an unknown operation name', { query: 'query A { __typename }', operationName: 'B' }, 'OPERATION_RESOLUTION_FAILURE'],
      ['too many tokens', { query: `{ ${'a '.repeat(4_001)} }` }, 'TOKEN_LIMIT_EXCEEDED'],
      ['too many levels', { query: `${'{ a '.repeat(13)}${'}'.repeat(13)}` }, 'DEPTH_LIMIT_EXCEEDED'],
      ['too many aliases', { query: `{ book(id: 1) { ${'a: id '.repeat(31)} } }` }, 'ALIAS_LIMIT_EXCEEDED'],
      ['too many root fields', { query: `{ ${'__typename '.repeat(21)} }` }, 'ROOT_FIELD_LIMIT_EXCEEDED'],
      ['too many selections', { query: `{ book(id: 1) { ${'id '.repeat(2_000)} } }` }, 'SELECTION_LIMIT_EXCEEDED'],
      ['too many directives', { query: `{ __typename ${'@skip(if: false) '.repeat(5)} }` }, 'DIRECTIVE_LIMIT_EXCEEDED'],
    ])('rejects %s with a status that depends on the media type', async (_case, body, code) => {
      expect(await post(body, { accept: JSON_TYPE })).toMatchObject({ status: 200, body: { errors: [{ extensions: { code } }] } });
      const response = await post(body, { accept: RESPONSE_TYPE });
      expect(response).toMatchObject({ status: 400, body: { errors: [{ extensions: { code } }] } });
      expect(response.body).not.toHaveProperty('data');
    });

    it.each([
      ['no acceptable media type', { accept: 'text/html' }, 406, 'NOT_ACCEPTABLE'],
      ['every media type excluded', { accept: '*/*;q=0' }, 406, 'NOT_ACCEPTABLE'],
      ['a plain text body', { 'content-type': 'text/plain' }, 400, 'CSRF_BLOCKED'],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 'CSRF_BLOCKED'],
      ['a plain text body after a preflight', { 'content-type': 'text/plain', 'x-requested-with': 'x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['XML', { 'content-type': 'application/xml' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['an unknown media type', { 'content-type': 'message/x' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a foreign charset', { 'content-type': 'application/json; charset=utf-16' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['an unknown encoding', { 'content-encoding': 'compress' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a bad token', { authorization: 'Bearer nonsense' }, 401, 'UNAUTHENTICATED'],
      ['Basic credentials', { authorization: 'Basic YTpi' }, 401, 'UNAUTHENTICATED'],
    ])('rejects a valid operation with %s', async (_case, headers, status, code) => {
      expect(await post({ query: '{ __typename }' }, headers)).toMatchObject({ status, body: { errors: [{ extensions: { code } }] } });
    });

    it('checks invalid credentials before an invalid body', async () => {
      const response = await post('{', { authorization: 'Bearer nonsense' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="gatefold", error="invalid_token"/);
    });

    it.each([
      ['', 400, 'BAD_REQUEST'],
      ['?query=', 400, 'BAD_REQUEST'],
      ['?query={__typename}&query={__typename}', 400, 'BAD_REQUEST'],
      ['?query={__typename}&variables={', 400, 'BAD_REQUEST'],
      ['?query={__typename}&variables=[]', 400, 'BAD_REQUEST'],
      ['?query={__typename}&variables={}&variables={}', 400, 'BAD_REQUEST'],
      ['?query={__typename}&extensions=1', 400, 'BAD_REQUEST'],
      ['?query={__typename}&variables={"__proto__":{}}', 400, 'BAD_REQUEST'],
      ['?query={__typename}&access_token=abc', 400, 'BAD_REQUEST'],
      ['?extensions={"persistedQuery":{"version":1,"sha256Hash":"a"}}', 400, 'BAD_REQUEST'],
      ['?query=subscription{bookRenamed{id}}', 405, 'METHOD_NOT_ALLOWED'],
    ])('rejects GET /graphql%s', async (query, status, code) => {
      expect(await request({ query })).toMatchObject({ status, body: { errors: [{ extensions: { code } }] } });
    });

    it('rejects a mutation by GET or HEAD, and names POST', async () => {
      const query = '?query=mutation{renameBook(id:"1",title:"x"){id}}';
      const response = await request({ query });
      expect(response).toMatchObject({ status: 405, body: { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] } });
      expect(response.headers.get('allow')).toBe('POST');
      expect((await fetch(`${library.url}/graphql${query}`, { method: 'HEAD' })).status).toBe(405);
    });

    it('rejects GET with the content type of a foreign body', async () => {
      expect(await request({ query: '?query={__typename}', headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
      expect(await request({ query: '?query={__typename}', headers: { 'content-type': JSON_TYPE } })).toMatchObject({ status: 200 });
    });

    it.each([['PUT'], ['PATCH'], ['DELETE']])('rejects %s and names the allowed methods', async (method) => {
      const response = await request({ method });
      expect(response).toMatchObject({ status: 405, body: { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] } });
      expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    });

    it('returns the allowed methods without a body for OPTIONS', async () => {
      const response = await fetch(`${library.url}/graphql`, { method: 'OPTIONS' });
      expect(response.status).toBe(204);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        allow: 'GET, HEAD, POST, OPTIONS',
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
      });
    });
  });

  describe('responses', () => {
    const renamed = { data: { renameBook: { title: 'Krabat' } } };
    const mutation = {
      query: 'mutation M($t: String!) { renameBook(id: "1", title: $t) { title } }',
      variables: { t: 'Krabat' },
      operationName: 'M',
    };

    it('contain the data of a mutation by POST', async () => {
      expect(await post(mutation)).toMatchObject({ status: 200, body: renamed });
    });

    it('contain the data for a compressed request body', async () => {
      const response = await request({
        method: 'POST',
        headers: { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' },
        body: new Uint8Array(gzipSync(JSON.stringify(mutation))),
      });
      expect(response).toMatchObject({ status: 200, body: renamed });
    });

    it('contain the data of a query with variables in the URL', async () => {
      const parameters = new URLSearchParams({
        query: 'query A($id: ID!) { book(id: $id) { id } } query B { __typename }',
        variables: '{"id":"7"}',
        operationName: 'A',
        extensions: '',
        cacheBuster: '1',
      });
      const query = `?${parameters.toString()}`;
      expect(await request({ query })).toMatchObject({ status: 200, body: { data: { book: { id: '7' } } } });
    });

    it('are successful with a token of the development key', async () => {
      const token = await new SignJWT({ sub: '1' })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('gatefold-dev')
        .setAudience('gatefold')
        .setExpirationTime('1h')
        .sign(new TextEncoder().encode(DEVELOPMENT_KEY));
      expect(await post({ query: '{ __typename }' }, { authorization: `Bearer ${token}` })).toMatchObject({ status: 200 });
    });

    it.each([
      ['is valid', 'abc-123.X_y', 'abc-123.X_y'],
      ['contains a space', 'a b', undefined],
      ['is too long', 'x'.repeat(129), undefined],
    ])('echo or replace a correlation id that %s, also in errors', async (_case, sent, echoed) => {
      const response = await post({ query: '{' }, { 'x-correlation-id': sent });
      const id = response.headers.get('x-correlation-id');
      expect(id).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(response.body.errors?.[0]?.extensions['requestId']).toBe(id);
      if (echoed === undefined) expect(id).not.toBe(sent);
      else expect(id).toBe(echoed);
    });

    it('have a length and headers against caching and content sniffing', async () => {
      for (const response of [await post({ query: '{ __typename }' }), await post('{'), await request({ method: 'PUT' })]) {
        expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          vary: 'Accept, Accept-Encoding',
        });
      }
    });
  });
});

describe('/graphql after a client disconnect', () => {
  it.each([
    ['query', '{ heldBook { id } }', true],
    ['mutation', 'mutation { heldRename { id } }', false],
  ])('cancels the subgraph request of a query but not of a mutation: %s', async (_kind, query, isStopped) => {
    await using library = await startLibraryGateway();
    const request = sendRequest(`${library.url}/graphql`, { method: 'POST', headers: { 'content-type': JSON_TYPE } });
    request.on('error', () => {});
    request.end(JSON.stringify({ query }));
    const { hungUp } = await library.subgraph.held;
    request.destroy();
    if (isStopped) {
      await hungUp; // This never resolves if the gateway continues to wait.
      return;
    }
    const probe = await fetch(`${library.url}/graphql?query={book(id:"1"){id}}`); // The gateway has noticed the disconnect by now.
    expect(probe.status).toBe(200);
    expect(await Promise.race([hungUp.then(() => 'stopped'), Promise.resolve('running')])).toBe('running');
  });
});
