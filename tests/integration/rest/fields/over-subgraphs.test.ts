import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../../cli/start-gateway.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { createRandom } from '../../../support/random/random.ts';
import { createHttpClient, type HttpClient } from '../../../support/http/http-client.ts';
import { startReferenceGateway } from '../../../support/stack/reference-gateway.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { startSubgraphProxy, type SubgraphProxy } from '../../../support/stack/subgraph-proxy.ts';
import { leavesOf, type Names, namesIn, project, randomFields } from './random-fields.ts';
import { readAlongside } from './read-alongside.ts';

/** Seed of the random choices. The environment can set it, and the title shows the current value. */
const SEED = Number(process.env['FIELDS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const CHOICES = 25;
const CAPACITY = 50_000;

/**
 * Subgraphs that resolve the fields of a wide order. The orders subgraph is always queried because it knows the IDs of the related objects.
 */
const OWNERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^product\.(title|price)$/, ['catalogue']],
  [/^user\.(name|email)$/, ['users']],
  [/^user\.posts\.author\./, ['posts', 'users']],
  [/^user\.posts\./, ['posts']],
  [/^shipment\./, ['shipping']],
];

const ownersOf = (leaves: readonly string[]): readonly string[] => {
  const others = leaves.flatMap((leaf) => OWNERS.find(([pattern]) => pattern.test(leaf))?.[1] ?? []);
  return [...new Set(['orders', ...others])].sort();
};

describeOnStack(`fields of resources across subgraphs, seed ${String(SEED)}`, (stack) => {
  const { subgraphUrls, developmentKey, identitySecret, tokens, token } = stack;
  const proxies = new Map<string, SubgraphProxy>();
  let gateway: RunningGateway;
  let http: HttpClient;
  const order = '/wide-orders/1?';

  beforeAll(async () => {
    for (const [name, url] of Object.entries(subgraphUrls)) proxies.set(name, await startSubgraphProxy(url));
    gateway = await startReferenceGateway({
      subgraphUrls: Object.fromEntries([...proxies].map(([name, { url }]) => [name, url])),
      developmentKey,
      identitySecret,
      documents: join(packageRoot, 'tests/fixtures/wide-resources'),
      config: {
        cache: { responses: false },
        budget: { mode: 'enforce', headers: true, signedIn: { capacity: CAPACITY, refillPerSecond: 1 } },
      },
    });
    http = createHttpClient({ origin: gateway.url, described: [gateway.url] });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await Promise.all([...proxies.values()].map((proxy) => proxy[Symbol.asyncDispose]()));
  });

  const called = (): readonly string[] => [...proxies].flatMap(([name, { requests }]) => (requests.length > 0 ? [name] : [])).sort();

  async function read(path: string, by: string | undefined): Promise<unknown> {
    for (const proxy of proxies.values()) proxy.forget();
    const { status, text, body } = await http.get(path, { token: by });
    if (status !== 200) throw new Error(`${path} returned ${String(status)}: ${text}`);
    return body;
  }

  let payingCallers = 0;
  /** Returns the cost of a request. Each measurement uses a new caller with a full budget. @unit points */
  async function costOf(path: string): Promise<number> {
    payingCallers += 1;
    const { headers } = await http.get(path, { token: token({ sub: `payer-${String(payingCallers)}`, roles: ['ADMIN'] }) });
    const left = /;r=(\d+)/.exec(String(headers['ratelimit']))?.[1];
    return CAPACITY - Number(left);
  }

  const orderNames = async (): Promise<Names> => namesIn(await read(order, tokens.admin));

  it('the whole resource queries every subgraph that resolves a part of it', async () => {
    const names = await orderNames();
    expect(called()).toEqual(['catalogue', 'orders', 'posts', 'shipping', 'users']);
    expect(ownersOf(leavesOf('whole', names))).toEqual(called());
  });

  it('selected fields query only the subgraphs that resolve them', async () => {
    const random = createRandom(SEED);
    const names = await orderNames();
    const seen = new Set<string>();
    for (let choice = 0; choice < CHOICES; choice += 1) {
      const { text, wanted } = randomFields(names, random);
      const readPart = async () => ({ shown: await read(`${order}fields=${text}`, tokens.admin), requested: called() });
      const { whole, part } = await readAlongside(() => read(order, tokens.admin), readPart);
      expect({ text, part: JSON.stringify(part.shown), requested: part.requested }).toEqual({
        text,
        part: JSON.stringify(project(whole, wanted)),
        requested: ownersOf(leavesOf(wanted, names)),
      });
      seen.add(part.requested.join());
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it('fewer fields never cost more, and cost less without lists or expensive fields', async () => {
    const random = createRandom(SEED);
    const names = await orderNames();
    const full = await costOf(order);
    for (let choice = 0; choice < 10; choice += 1) {
      const { text, wanted } = randomFields(names, random);
      const leaves = leavesOf(wanted, names);
      const cost = await costOf(`${order}fields=${text}`);
      const isAll = ['shipment.', 'user.posts.'].every((dear) => leaves.some((leaf) => leaf.startsWith(dear)));
      expect({ text, isPaid: cost > 0, isLess: isAll ? cost <= full : cost < full }).toEqual({ text, isPaid: true, isLess: true });
    }
  });

  describe('a response with one private field', () => {
    it('returns 401 when an anonymous caller names the private field', async () => {
      for (const text of ['author.email', 'id,author(name,email)'])
        expect((await http.get(`/wide-posts/1?fields=${text}`)).status).toBe(401);
    });

    it.each(['', 'fields=*', 'fields=author', 'fields=id,author'])(
      '?%s omits the field for anonymous callers and is publicly cacheable',
      async (query) => {
        const { status, headers, body } = await http.get(`/wide-posts/1?${query}`);
        expect({ status, freshness: headers['cache-control'] }).toEqual({ status: 200, freshness: 'public, max-age=60' });
        expect(body['author']).not.toHaveProperty('email');
      },
    );

    it('is publicly cacheable for anonymous callers with any other fields', async () => {
      const random = createRandom(SEED);
      const names: Names = new Map([
        ['id', new Map()],
        ['title', new Map()],
        ['tags', new Map()],
        ['author', new Map(['id', 'name'].map((name): [string, Names] => [name, new Map()]))],
      ]);
      for (let choice = 0; choice < 20; choice += 1) {
        const { text, wanted } = randomFields(names, random);
        if (wanted.get('author') === 'whole') continue; // The whole author includes the email address, which is private.
        const { status, headers } = await http.get(`/wide-posts/1?fields=${text}`);
        expect({ text, status, freshness: headers['cache-control'] }).toEqual({ text, status: 200, freshness: 'public, max-age=60' });
      }
    });
  });
});
