import { describe, expect, it } from '@jest/globals';
import { DEVELOPMENT_KEY, type LibraryGatewayOptions, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const QUERY = '{ book(id: "1") { title } }';
const SMALL = { capacity: 25, refillPerSecond: 1 };

type Line = readonly [facts: Readonly<Record<string, unknown>>, message: string];

/** Starts a gateway whose clock does not advance, so that no points are refilled. */
async function start(budget: NonNullable<LibraryGatewayOptions['config']>['budget'], server: object = {}) {
  const lines: Line[] = [];
  const library = await startLibraryGateway({
    config: { budget, server },
    clock: { now: () => Date.now(), monotonic: () => 1_000 },
    logger: { ...silentLogger, warn: (facts: unknown, message?: unknown) => void lines.push([facts, message] as Line) },
  });
  return Object.assign(library, { client: createHttpClient({ origin: library.url }), lines });
}

const post = (client: HttpClient, query: string, headers: Record<string, string> = {}) => client.post('/graphql', { query }, { headers });
const statusOf = async (response: Promise<HttpResponse>) => (await response).status;

const REJECTIONS = { mode: 'enforce', anonymous: { mode: 'rejections', ...SMALL } } as const;

describe('given anonymous callers that are charged only for rejections', () => {
  it('a fourth rejected document gets 429, and so does a new document, but a known one is served', async () => {
    await using library = await start(REJECTIONS);
    const { client } = library;
    expect(await statusOf(post(client, QUERY))).toBe(200);
    const rejected = await Promise.all([1, 2].map((n) => statusOf(post(client, `{ unknown${n} }`))));
    expect(rejected).toEqual([200, 200]); // request errors have status 200 as application/json
    const third = await post(client, '{ unknown3 }');
    expect([third.status, third.headers['retry-after']]).toEqual([429, '5']);
    for (let n = 4; n < 8; n += 1) expect(await statusOf(post(client, `{ unknown${n} }`))).toBe(429);
    expect(await statusOf(post(client, `${QUERY} # new`))).toBe(429);
    expect(await statusOf(post(client, QUERY))).toBe(200);
  });

  it('wrong tokens get 429 when the budget is used up, and valid callers of the address are served', async () => {
    await using library = await start(REJECTIONS);
    const { client } = library;
    const login = (authorization: string) => statusOf(post(client, QUERY, { authorization }));
    expect([await login('Bearer x'), await login('Bearer x'), await login('Bearer x')]).toEqual([401, 401, 429]);
    expect(await login(`Bearer ${signToken({ sub: '1' }, { key: DEVELOPMENT_KEY })}`)).toBe(200);
  });

  it('valid operations are served without limit and without RateLimit headers', async () => {
    await using library = await start(REJECTIONS);
    for (let n = 0; n < 200; n += 1) {
      const { status, headers } = await post(library.client, `${QUERY} # ${n}`);
      expect([status, headers['ratelimit'], headers['ratelimit-policy']]).toEqual([200, undefined, undefined]);
    }
  });

  it('unknown hashes of automatic persisted queries are not charged', async () => {
    await using library = await start(REJECTIONS);
    for (let n = 0; n < 20; n += 1) {
      const sha256Hash = String(n).padStart(64, '0');
      const { body } = await library.client.post('/graphql', { extensions: { persistedQuery: { version: 1, sha256Hash } } });
      expect(JSON.stringify(body)).toContain('PERSISTED_QUERY_NOT_FOUND');
    }
    expect(await statusOf(post(library.client, QUERY))).toBe(200);
  });

  it('one warning per minute names the setting and the kind of the caller', async () => {
    await using library = await start(REJECTIONS);
    for (let n = 0; n < 6; n += 1) await post(library.client, `{ unknown${n} }`);
    expect(library.lines.filter(([{ setting }]) => setting === 'budget.anonymous')).toEqual([
      [
        { setting: 'budget.anonymous', policy: '"anonymous";q=25;w=25', caller: 'anonymous' },
        'A request was rejected because the budget of its caller is used up. The setting budget.anonymous decides.',
      ],
    ]);
  });
});

describe('given a budget that charges anonymous callers for every request', () => {
  it.each([
    ['budget.anonymous', { mode: 'enforce', anonymous: SMALL }],
    ['budget.key', { mode: 'enforce', anonymous: { mode: 'enforce', ...SMALL }, key: 'address' }],
  ] as const)('an operation gets 429 with %s, and the log names the operation', async (_setting, budget) => {
    await using library = await start(budget);
    for (let n = 0; n < 25; n += 1) expect(await statusOf(post(library.client, `query Book ${QUERY}`))).toBe(200);
    expect(await statusOf(post(library.client, `query Book ${QUERY}`))).toBe(429);
    const [facts] = library.lines.find(([{ setting }]) => setting === 'budget.anonymous') ?? [];
    expect(facts).toMatchObject({ operation: 'Book', caller: 'anonymous' });
  });

  it('an operation above the capacity is rejected with the setting of the capacity', async () => {
    await using library = await start({ mode: 'enforce', anonymous: { capacity: 15, refillPerSecond: 1 } });
    const books = Array.from({ length: 16 }, (_, index) => `b${index}: book(id: 1) { title }`);
    const { body } = await post(library.client, `{ ${books.join(' ')} }`);
    expect(JSON.stringify(body)).toContain('increase budget.anonymous.capacity');
  });
});

describe('given the production profile', () => {
  const budgetOf = async (config: NonNullable<LibraryGatewayOptions['config']>) => {
    await using library = await startLibraryGateway({ config: { profile: 'production', auth: {}, ...config } });
    const { headers } = await post(createHttpClient({ origin: library.url }), QUERY, { 'x-forwarded-proto': 'https' });
    return headers['ratelimit-policy'];
  };

  it.each<readonly [string, NonNullable<LibraryGatewayOptions['config']>, string | undefined]>([
    ['nothing', {}, undefined],
    ['the budget of authenticated callers', { budget: { signedIn: { capacity: 5 } } }, undefined],
    ['budget.anonymous', { budget: { anonymous: { capacity: 50 } } }, '"anonymous";q=50;w=1'],
    ['budget.mode', { budget: { mode: 'enforce' } }, '"anonymous";q=5000;w=100'],
    ['server.trustedProxies', { server: { trustedProxies: ['127.0.0.1'] } }, '"anonymous";q=5000;w=100'],
  ])('anonymous callers with %s configured have the policy of their budget: %s', async (_what, config, policy) => {
    expect(await budgetOf(config)).toBe(policy);
  });

  it('500 failed logins of one address are rejected with 401, and the next one with 429', async () => {
    await using library = await startLibraryGateway({
      config: { profile: 'production', auth: { providers: { jwt: {} } } },
      clock: { now: () => Date.now(), monotonic: () => 1_000 },
    });
    const client = createHttpClient({ origin: library.url });
    const login = () => statusOf(post(client, QUERY, { authorization: 'Bearer x' }));
    const statuses = new Set<number>();
    for (let n = 0; n < 500; n += 1) statuses.add(await login());
    expect([...statuses]).toEqual([401]);
    expect(await login()).toBe(429);
  });
});
