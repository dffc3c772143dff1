import { GraphQLError } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import type { CallerBudget } from '../../../../gateway/budget/caller-budget.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { libraryDocuments } from '../support/library-documents.ts';
import { serveFacade, type ServedFacade } from '../support/serve-facade.ts';

const ADA = { authorization: 'Bearer ada' };

/** A document that adds a second version of all endpoints. */
const SECOND_VERSION = {
  path: 'newer.graphql',
  text: 'query Newer($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/newer/{id}", since: 2) { book(id: $id) @result { id } }',
};

interface Change {
  readonly title?: string;
  readonly id?: number;
  readonly as?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Changes a resource by an endpoint that does not pass the key to the graph. */
function change(facade: ServedFacade, key: string, { title = 'Emma', id = 7, as = ADA, query = '', more = {} }: Change = {}) {
  const headers = { ...as, ...more, 'idempotency-key': key };
  return facade.send({ method: 'PATCH', path: `/books/${id}${query}`, body: { title }, headers });
}

const failing = (code: string) => ({
  updateBook: () => {
    throw new GraphQLError('It failed.', { extensions: { code } });
  },
});

describe('a change with an idempotency key that is not passed to the graph', () => {
  it('returns 401 without execution when credentials are missing', async () => {
    await using facade = await serveFacade();
    const response = await change(facade, 'one', { as: {} });
    expect([response.status, response.json['error']]).toEqual([401, 'UNAUTHENTICATED']);
    expect(facade.seen).toHaveLength(0);
  });

  it('returns 422 without execution for another body or another resource', async () => {
    await using facade = await serveFacade();
    await change(facade, 'one');
    for (const other of [{ title: 'Persuasion' }, { id: 8 }]) {
      const response = await change(facade, 'one', other);
      expect([response.status, response.json['error']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect(facade.seen).toHaveLength(1);
  });

  it.each(['SUBGRAPH_UNAVAILABLE', 'SUBGRAPH_TIMEOUT', 'INTERNAL_SERVER_ERROR'])(
    'is not executed again after the graph failed with %s',
    async (code) => {
      await using facade = await serveFacade({ root: failing(code) });
      expect((await change(facade, 'one')).status).toBeGreaterThanOrEqual(500);
      const again = await change(facade, 'one');
      expect([again.status, again.json['error'], again.headers['idempotent-replayed']]).toEqual([409, 'OUTCOME_UNKNOWN', 'true']);
      expect(facade.seen).toHaveLength(1);
    },
  );

  it.each([
    ['a success', {}, 200],
    ['an error', failing('CONFLICT'), 409],
  ])('the replay of %s costs budget, and a caller without budget gets 429', async (_title, root, status) => {
    const spent: string[] = [];
    let isUsedUp = false;
    const spend = ({ kind }: { readonly kind: string }) => {
      if (isUsedUp) throw new GatewayError('RATE_LIMITED', 'It is used up.');
      spent.push(kind);
    };
    const budgetOf = () =>
      ({
        spend,
        payBody: () => undefined,
        writeRateLimitHeaders: (headers: object) => Object.assign(headers, { ratelimit: 'told' }),
      }) as unknown as CallerBudget;
    await using facade = await serveFacade({ root, budgetOf });
    await change(facade, 'one');
    expect(spent).toEqual([]); // The gateway charges when it executes, and here it is a fake.
    const again = await change(facade, 'one');
    expect([again.status, again.headers['idempotent-replayed'], again.headers['ratelimit']]).toEqual([status, 'true', 'told']);
    expect(spent).toEqual(['mutation']);
    isUsedUp = true;
    expect((await change(facade, 'one')).status).toBe(429);
    expect(facade.seen).toHaveLength(1);
  });

  it('is executed again when the graph denied it', async () => {
    await using facade = await serveFacade({ root: failing('FORBIDDEN') });
    for (const { status } of [await change(facade, 'one'), await change(facade, 'one')]) expect(status).toBe(403);
    expect(facade.seen).toHaveLength(2);
  });

  it('returns the first response without execution when the request is repeated', async () => {
    await using facade = await serveFacade();
    const [first, again] = [await change(facade, 'one'), await change(facade, 'one')];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect(facade.seen).toHaveLength(1);
  });

  it.each<[string, Change, Change]>([
    ['in another media type', { more: { accept: 'application/vnd.gatefold.v1.envelope+json' } }, {}],
    ['without a body, and then with one', { more: { prefer: 'return=minimal' } }, {}],
    ['without a body, and it had one', {}, { more: { prefer: 'return=minimal' } }],
    ['with some of its fields, and then with all', { query: '?fields=id' }, {}],
  ])('returns 422 when the response is requested %s', async (_title, one, other) => {
    await using facade = await serveFacade();
    expect((await change(facade, 'one', one)).status).toBeLessThan(300);
    const response = await change(facade, 'one', other);
    expect([response.status, response.json['error']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const again = await change(facade, 'one', one);
    expect([again.status < 300, again.headers['idempotent-replayed']]).toEqual([true, 'true']);
  });

  it('a replay applies preferences of the repeated request that do not change the body', async () => {
    await using facade = await serveFacade();
    const first = await change(facade, 'one', { more: { prefer: 'handling=lenient' } });
    const [none, shown] = [await change(facade, 'one'), await change(facade, 'one', { more: { prefer: 'return=representation' } })];
    expect([first, none, shown].map(({ headers }) => headers['preference-applied'])).toEqual([
      'handling=lenient',
      undefined,
      'return=representation',
    ]);
    expect([none, shown].map(({ headers, text }) => [headers['idempotent-replayed'], text === first.text])).toEqual([
      ['true', true],
      ['true', true],
    ]);
  });

  it('returns 422 in another API version, because the URLs of the response differ', async () => {
    await using facade = await serveFacade({ documents: [...libraryDocuments, SECOND_VERSION] });
    const send = (version: number) =>
      facade.send({ method: 'POST', path: `/v${version}/books`, body: { title: 'Emma' }, headers: { ...ADA, 'idempotency-key': 'one' } });
    const first = await send(2);
    expect([first.status, first.headers.location, first.headers['api-version']]).toEqual([201, '/v2/books/46', '2']);
    expect((await send(1)).status).toBe(422);
    expect((await send(2)).headers).toMatchObject({ location: '/v2/books/46', 'api-version': '2', 'idempotent-replayed': 'true' });
  });

  it('executes again, flagged as a replay, when a large response has a passed-on key', async () => {
    await using facade = await serveFacade({
      root: { charge: ({ input }: { input: { amount: number } }) => ({ id: '9', amount: input.amount, key: 'x'.repeat(300_000) }) },
    });
    const send = () =>
      facade.send({ method: 'POST', path: '/charges', body: { amount: 1 }, headers: { ...ADA, 'idempotency-key': 'one' } });
    const [first, again] = [await send(), await send()];
    expect([first.text.length > 262_144, again.text === first.text, again.headers['idempotent-replayed']]).toEqual([true, true, 'true']);
    expect(facade.seen).toHaveLength(2);
  });

  it('replays without a body when the response is too large', async () => {
    const title = 'x'.repeat(300_000);
    await using facade = await serveFacade();
    const [first, again] = [await change(facade, 'one', { title }), await change(facade, 'one', { title })];
    expect(first.text).toContain(title);
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, '', 'true']);
    expect(facade.seen).toHaveLength(1);
  });
});
