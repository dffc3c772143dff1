import { scryptSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';

const BOOK =
  'query Book($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}", signedIn: true) { book(id: $id) @result { id title } }';
const QUERY = { query: '{ book(id: "1") { title } }' };
const SALT = Buffer.from('0123456789abcdef');
const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
const PASSWORD = `$scrypt$ln=14,r=8,p=1$${unpadded(SALT)}$${unpadded(scryptSync('right', SALT, 32, { N: 2 ** 14, r: 8, p: 1 }))}`;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-logins-'));
  await writeFile(join(directory, 'keys.json'), '{"keys":[]}');
  await writeFile(join(directory, 'users.json'), JSON.stringify({ users: [{ name: 'alice', password: PASSWORD }] }));
});

afterAll(() => rm(directory, { recursive: true }));

async function start(budget: object): Promise<LibraryGateway & { readonly client: HttpClient }> {
  const providers = { apiKey: { file: join(directory, 'keys.json') }, basic: { file: join(directory, 'users.json') } };
  const library = await startLibraryGateway({
    config: { auth: { developmentKey: DEVELOPMENT_KEY, providers }, budget },
    clock: { now: () => Date.now(), monotonic: () => 1_000 }, // The time does not advance, so no points are refilled.
    prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: [{ path: 'book.graphql', text: BOOK }] })),
  });
  return Object.assign(library, { client: createHttpClient({ origin: library.url }) });
}

const TRANSPORTS: readonly (readonly [string, (client: HttpClient, headers: Record<string, string>) => Promise<HttpResponse>])[] = [
  ['/graphql', (client, headers) => client.post('/graphql', QUERY, { headers })],
  ['REST', (client, headers) => client.get('/books/1', { headers })],
];

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

describe.each(TRANSPORTS)('invalid credentials, by %s', (_transport, request) => {
  it('charge the address for wrong API keys like for any other credential', async () => {
    await using library = await start({ mode: 'enforce', anonymous: { capacity: 25, refillPerSecond: 1 } });
    const wrong = { 'x-api-key': `one.${'s'.repeat(43)}` };
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await request(library.client, wrong)).status);
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('get 429 after ten wrong passwords, in any budget mode, for unknown users too', async () => {
    await using library = await start({ mode: 'off' });
    for (const name of ['alice', 'nobody']) {
      await using fresh = await start({ mode: 'measure' });
      for (let n = 0; n < 10; n += 1) {
        const rejected = await request(fresh.client, basic(`${name}:wrong${n}`));
        expect([rejected.status, rejected.headers['www-authenticate']]).toEqual([401, 'Basic realm="gatefold", charset="UTF-8"']);
      }
      const limited = await request(fresh.client, basic(`${name}:right`));
      expect([limited.status, limited.headers['retry-after']]).toEqual([429, '6']);
      expect(limited.text).toContain('Too many failed logins. Try again in 6 s.');
      expect(limited.text).not.toContain(name);
    }
    expect((await request(library.client, basic('alice:right'))).status).toBe(200);
  });
});

describe('a resource that needs credentials', () => {
  it('lists every authentication scheme when credentials are missing', async () => {
    await using library = await start({ mode: 'off' });
    const rejected = await library.client.get('/books/1');
    expect([rejected.status, rejected.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="gatefold", Basic realm="gatefold", charset="UTF-8", ApiKey realm="gatefold", header="X-API-Key"',
    ]);
  });
});
