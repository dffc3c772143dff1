import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';
import { SHAPE_TRANSPORTS, type ShapesUnderTest, startShapes } from '../limits/shape-transports.ts';
import { eventually } from '../../support/time/eventually.ts';

const KEY = 'a key that only operators of the gateway know';
const PATH = '/maintenance';
const QUERY = '{ books { totalCount } }';

/** Paths without documents of clients: resources, pages, and paths that do not exist. */
const PATHS = ['/books', '/api/books', '/users/1', '/api/orders/1', '/graphql', '/graphql/some-id', '/', '/nowhere'];

describe('maintenance', () => {
  let shapes: ShapesUnderTest;
  let internal: HttpClient;
  let directory: string;
  let file: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'maintenance-'));
    file = join(directory, 'on');
    shapes = await startShapes({ maintenance: { key: KEY, file, retryAfterSeconds: 30 } });
    internal = createHttpClient({ origin: (await shapes.gateway.listen()).internalUrl });
  });

  afterEach(async () => {
    rmSync(file, { force: true });
    await turn('DELETE');
    await eventually(async () => (await state()).body['maintenance'] === false);
  });

  afterAll(async () => {
    await shapes[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  const state = () => internal.get(PATH, { token: KEY });
  const turn = (method: 'PUT' | 'DELETE', json?: unknown, token: string = KEY) =>
    internal.send({ method, path: PATH, token, ...(json === undefined ? {} : { json }) });

  const reported = ({ status, headers, body }: HttpResponse<unknown>) => {
    const { error, errors } = body as { error?: string; errors?: readonly { extensions: { code: string } }[] };
    return { status, retryAfter: headers['retry-after'], code: error ?? errors?.[0]?.extensions.code };
  };

  it.each([
    ['no key', ''],
    ['another key', `${KEY}!`],
  ])('cannot be switched with %s: returns 401, and clients are served', async (_what, token) => {
    expect((await turn('PUT', undefined, token)).status).toBe(401);
    expect((await shapes.http.post('/graphql', { query: '{ __typename }' })).status).toBe(200);
  });

  it.each([[{ retryAfterSeconds: 0 }], [{ retryAfterSeconds: 1.5 }], [{ retryAfterSeconds: '5' }], [{ more: 1 }], [[]], [null]])(
    'cannot be switched on with %j: returns 400, and clients are served',
    async (json) => {
      expect((await turn('PUT', json)).status).toBe(400);
      expect((await state()).body).toMatchObject({ maintenance: false });
    },
  );

  it('returns 405 for another method with the key', async () => {
    expect(await internal.post(PATH, {}, { token: KEY })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, PUT, DELETE' } });
  });

  it('cannot be switched on the public listener', async () => {
    expect((await shapes.http.send({ method: 'PUT', path: PATH, token: KEY })).status).toBe(404);
  });

  describe('switched on by an operator while the gateway runs', () => {
    async function begin(): Promise<void> {
      expect((await turn('PUT')).body).toEqual({ maintenance: true, by: ['operator'], retryAfterSeconds: 30 });
    }

    it.each(SHAPE_TRANSPORTS.filter(({ name }) => name !== 'WebSocket').map((transport) => [transport.name, transport] as const))(
      'returns 503 with Retry-After by %s, without a subgraph request',
      async (_name, transport) => {
        await begin();
        const before = shapes.requested();
        const response = await transport.request(shapes.http, { query: QUERY });
        expect(reported(response)).toEqual({ status: 503, retryAfter: '30', code: 'MAINTENANCE' });
        expect(shapes.requested()).toBe(before);
      },
    );

    it('returns 503 for other paths, existing or not', async () => {
      await begin();
      for (const path of PATHS) {
        expect({ path, ...reported(await shapes.http.get(path)) }).toEqual({ path, status: 503, retryAfter: '30', code: 'MAINTENANCE' });
      }
    });

    it('does not change the health endpoints', async () => {
      await begin();
      for (const path of ['/health', '/health/live', '/health/ready']) expect((await shapes.http.get(path)).status).toBe(200);
    });

    it('rejects a new WebSocket with 503 before the handshake', async () => {
      await begin();
      const socket = new WebSocket(`${shapes.http.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
      const status = await new Promise((resolve) => {
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.on('open', () => resolve('open'));
      });
      socket.on('error', () => undefined).terminate();
      expect(status).toBe(503);
    });

    it('returns MAINTENANCE on an open WebSocket, which works again afterwards', async () => {
      const url = `${shapes.http.origin.replace('http', 'ws')}/graphql`;
      const client = createClient({ url, webSocketImpl: WebSocket, lazy: false, retryAttempts: 0 });
      const request = () =>
        new Promise<unknown>((resolve) => {
          client.subscribe({ query: '{ __typename }' }, { next: resolve, error: resolve, complete: () => undefined });
        });
      expect(await request()).toMatchObject({ data: { __typename: 'Query' } });
      await begin();
      expect(await request()).toMatchObject([{ extensions: { code: 'MAINTENANCE' } }]);
      await turn('DELETE');
      expect(await request()).toMatchObject({ data: { __typename: 'Query' } });
      await client.dispose();
    });
  });

  it('sends clients the retry time with which it was switched on', async () => {
    expect((await turn('PUT', { retryAfterSeconds: 7 })).body).toEqual({ maintenance: true, by: ['operator'], retryAfterSeconds: 7 });
    expect(reported(await shapes.http.get('/books'))).toMatchObject({ retryAfter: '7' });
    await turn('DELETE');
    expect((await turn('PUT')).body).toMatchObject({ retryAfterSeconds: 30 });
  });

  it('lasts as long as the file exists, even if an operator switches it off', async () => {
    writeFileSync(file, '');
    await eventually(async () => (await state()).body['maintenance'] === true);
    expect(reported(await shapes.http.post('/graphql', { query: QUERY }))).toEqual({ status: 503, retryAfter: '30', code: 'MAINTENANCE' });
    expect((await turn('DELETE')).body).toMatchObject({ maintenance: true, by: ['file'] });
    expect((await shapes.http.get('/books')).status).toBe(503);
  });
});

it('a gateway that starts in maintenance returns 503 until an operator ends it', async () => {
  await using shapes = await startShapes({ maintenance: { enabled: true, key: KEY } });
  expect((await shapes.http.get('/books')).status).toBe(503);
  const { internalUrl } = await shapes.gateway.listen();
  await createHttpClient({ origin: internalUrl }).send({ method: 'DELETE', path: PATH, token: KEY });
  expect((await shapes.http.post('/graphql', { query: '{ __typename }' })).status).toBe(200);
});
