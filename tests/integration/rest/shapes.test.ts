import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { compileRoutes, printTemplate, readRestDocuments } from '../../../rest-facade/index.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';
import { whileUnchanged } from '../../support/http/while-unchanged.ts';

const { schema } = loadSupergraph(readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
const compiled = compileRoutes(readRestDocuments(join(packageRoot, 'schema/rest')), schema);
/** Routes without event streams, which have only one media type. */
const routes = compiled.routes.filter(({ isStream }) => !isStream);

/** Every route with its path, which includes the version. */
const TABLE = routes.map((route) => ({
  route,
  title: `${route.method} /v${String(route.lifespan.since)}${printTemplate(route.template)}`,
  path: `/v${String(route.lifespan.since)}${printTemplate(route.template)}`,
}));

const FLAT = { error: expect.any(String), message: expect.any(String), traceId: expect.any(String) };
const NESTED = { error: { code: expect.any(String), message: expect.any(String), requestId: expect.any(String) } };
const PROBLEM = {
  type: 'about:blank',
  title: expect.any(String),
  status: expect.any(Number),
  detail: expect.any(String),
  code: expect.any(String),
  traceId: expect.any(String),
};

/** Media types that a client may accept, and the error body of each. `*` is replaced by the version. */
const REPRESENTATIONS: readonly (readonly [
  form: string,
  accept: string | undefined,
  type: string,
  failure: Readonly<Record<string, unknown>>,
])[] = [
  ['no media type', undefined, 'application/json; charset=utf-8', FLAT],
  ['the plain representation', 'application/vnd.gatefold*+json', 'application/vnd.gatefold*+json', FLAT],
  ['links', 'application/vnd.gatefold*.links+json', 'application/vnd.gatefold*.links+json', FLAT],
  ['the envelope', 'application/vnd.gatefold*.envelope+json', 'application/vnd.gatefold*.envelope+json', NESTED],
  [
    'the envelope and problem details',
    'application/vnd.gatefold*.envelope+json;q=1, application/problem+json',
    'application/problem+json',
    PROBLEM,
  ],
];

const withoutDetails = (body: unknown): unknown => {
  const strip = (value: object) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'details'));
  const flat = strip(body as object);
  return typeof flat['error'] === 'object' && flat['error'] !== null ? { error: strip(flat['error']) } : flat;
};

describeOnStack('response representations', ({ http, tokens, newUser, newOrder }) => {
  const ids: Record<string, number> = { user_id: 1, book_id: 1, post_id: 1 };
  const addressOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name] ?? 1));

  beforeAll(async () => {
    const owner = await newUser();
    ids['order_id'] = await newOrder(owner);
    const headers = { 'idempotency-key': `shapes-${String(ids['order_id'])}` };
    const paid = await http.post<{ id: number }>('/payments', { amount: 100, currency: 'EUR' }, { headers, token: owner.token });
    ids['payment_id'] = paid.body.id;
  });

  describe.each(TABLE)('$title', ({ route, path }) => {
    const version = `.v${String(route.lifespan.since)}`;
    const forms = REPRESENTATIONS.map(
      ([form, accept, type, failure]) => [form, accept?.replace('*', version), type.replace('*', version), failure] as const,
    );
    const hasBody = route.bindings.body !== undefined;
    const send = (accept: string | undefined, query: string, token?: string) =>
      http.send({
        method: route.method,
        path: addressOf(path) + query,
        ...(hasBody ? { json: {} } : {}),
        headers: accept === undefined ? {} : { accept },
        token,
      });

    it.each(forms)('a client that requests %s gets errors in that representation', async (_form, accept, type, failure) => {
      const response = await send(accept, '?magic=1', tokens.admin);
      expect({ status: response.status, type: response.headers['content-type'] }).toEqual({ status: 400, type });
      expect(withoutDetails(response.body)).toEqual(failure);
      expect(response.headers).toMatchObject({
        'cache-control': 'no-store',
        vary: expect.stringMatching(/^Accept\b/),
        'api-version': version.slice(2),
      });
      if (!route.needsCredentials) return;
      const unknown = await send(accept, '');
      expect({ status: unknown.status, type: unknown.headers['content-type'] }).toEqual({ status: 401, type });
      expect(withoutDetails(unknown.body)).toEqual(failure);
    });

    if (route.method !== 'GET' || path.includes('webhook')) return;

    it('every representation has the same data', async () => {
      await whileUnchanged(http, { path: addressOf(path), token: tokens.admin }, async () => {
        const [plain, vendor, links, envelope, both] = await Promise.all(forms.map(([, accept]) => send(accept, '', tokens.admin)));
        const { 'content-type': _type, etag: _etag, date: _date, 'x-correlation-id': _id, ...common } = plain?.headers ?? {};
        for (const [index, response] of [plain, vendor, links, envelope, both].entries()) {
          expect(response?.status).toBe(200);
          expect(response?.headers['content-type']).toBe(forms[Math.min(index, 3)]?.[2]);
          expect(response?.headers['vary']).toBe(common['vary']);
          expect(response?.headers['link']).toBe(common['link']);
        }
        expect(vendor?.text).toBe(plain?.text);
        const { data, meta } = (envelope?.body ?? {}) as { readonly data: unknown; readonly meta: Readonly<Record<string, unknown>> };
        const { requestId, ...facts } = meta;
        expect(requestId).toBe(envelope?.headers['x-correlation-id']);
        expect(route.result.isPage ? { data, ...facts } : data).toEqual(plain?.body);
        expect(facts).not.toHaveProperty('data');
        expect(withoutLinks(links?.body)).toEqual(plain?.body);
        expect(links?.body).toMatchObject({ _links: { self: { href: addressOf(path) } } });
      });
    });
  });

  it('an envelope has a stable entity tag despite the request ID', async () => {
    const headers = { accept: 'application/vnd.gatefold.envelope+json' };
    for (const path of ['/books/1', '/books?size=2']) {
      const { etag } = (await http.get(path, { headers })).headers;
      expect((await http.get(path, { headers: { ...headers, 'if-none-match': String(etag) } })).status).toBe(304);
      expect((await http.get(path, { headers: { 'if-none-match': String(etag) } })).status).toBe(200);
    }
  });

  it('the envelope of a created order has the order as data', async () => {
    const { token } = await newUser();
    const headers = { accept: 'application/vnd.gatefold.v2.envelope+json' };
    const { status, body } = await http.post('/orders', { productId: 1, quantity: 2 }, { headers, token });
    expect({ status, body }).toMatchObject({ status: 201, body: { data: { quantity: 2 }, meta: { requestId: expect.any(String) } } });
  });
});

function withoutLinks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLinks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '_links')
      .map(([name, part]) => [name, withoutLinks(part)]),
  );
}
