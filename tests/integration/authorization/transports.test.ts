import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { SupergraphListener, SupergraphSource } from '../../../gateway/supergraph/sources/supergraph-source.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { createOracle, type Oracle } from '../../fixtures/authorization/oracle.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../../fixtures/authorization/reference-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { accessCases } from './access-paths.ts';
import { TRANSPORTS, tokenOf } from './transports.ts';
import { MANY_REQUESTS } from './many-requests.ts';
import { REFERENCE_REQUESTS, REFERENCE_ROUTES } from './reference-routes.ts';
import { queryInProcess, leaksIn, runMatrix } from './run-matrix.ts';

/** Names of each form that this test covers. `npm run prove access-paths` covers every form by every transport. */
const FORMS = new Set(['direct', '@defer', '__typename only']);

let graph: GuardedGraph;
let oracle: Oracle;
let gateway: Gateway;
let url: string;
let http: HttpClient;
beforeAll(async () => {
  graph = await buildReferenceGraph();
  oracle = createOracle(graph.monolith, graph.policy);
  gateway = await startGuardedGateway(graph, [], MANY_REQUESTS);
  gateway.mount(createRestFacade({ gateway, documents: join(packageRoot, 'schema/rest') }));
  ({ url } = await gateway.listen());
  http = createHttpClient({ origin: url });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

it.each(TRANSPORTS.map((transport, position) => ({ ...transport, place: position })))(
  '$name: each of four callers sees what the policy grants',
  async ({ place: position, ...transport }) => {
    const all = accessCases(graph, REFERENCE_ROUTES, REFERENCE_REQUESTS).filter(
      ({ form, route: { kind, type } }) => FORMS.has(form) && transport.kinds.includes(kind) && (form !== '@defer' || type !== 'Mutation'),
    );
    // Permissions are decided behind the transports, so each transport runs a quarter of the cases. Adjacent cases of a field stay together.
    const cases = all.filter((_, index) => (Math.floor(index / 2) + position) % 4 === 0);
    const request = transport.open(url);
    const { mismatches, ...report } = await runMatrix({ graph, oracle, request, cases, callers: REFERENCE_CALLERS });
    await request[Symbol.asyncDispose]?.();
    expect(mismatches).toEqual([]);
    expect(report.cases).toBeGreaterThanOrEqual(200);
  },
  120_000,
);

it('each of four callers sees what the policy grants when entities are cached', async () => {
  await using keeping = await startGuardedGateway(graph, [], { cache: { entities: true } });
  const cases = accessCases(graph, REFERENCE_ROUTES, REFERENCE_REQUESTS).filter(
    ({ form, route: { kind } }) => form === 'direct' && kind === 'query',
  );
  for (const callers of [REFERENCE_CALLERS, REFERENCE_CALLERS.toReversed()]) {
    const { mismatches } = await runMatrix({ graph, oracle, request: queryInProcess(keeping), cases, callers });
    expect(mismatches).toEqual([]);
  }
}, 120_000);

describe('REST', () => {
  const USER = ['id', 'name', 'createdAt'];
  const ORDER = ['id', 'status', 'productId', 'qty', 'userId', 'total', 'createdAt'];
  const PAYMENT = ['id', 'amount', 'currency', 'status', 'userId', 'createdAt'];

  /** Fields that a caller sees, or the error status: for an anonymous caller, the owner, another user and an administrator. */
  const ROWS: readonly (readonly [string, readonly (readonly string[] | number)[]])[] = [
    ['/users/1', [USER, [...USER, 'email'], USER, [...USER, 'email']]],
    [
      '/users/1?fields=id,name',
      [
        ['id', 'name'],
        ['id', 'name'],
        ['id', 'name'],
        ['id', 'name'],
      ],
    ],
    ['/users/1?fields=id,email', [401, ['id', 'email'], 403, ['id', 'email']]],
    ['/users/1?fields=email', [401, ['email'], 403, ['email']]],
    ['/users/2', [USER, USER, [...USER, 'email'], [...USER, 'email']]],
    ['/users/404', [404, 404, 404, 404]],
    ['/orders/8200001', [401, ORDER, 403, ORDER]],
    ['/orders/8200001?fields=id', [401, ['id'], 403, ['id']]],
    ['/orders/8200002', [401, 403, ORDER, ORDER]],
    ['/payments/8600001', [401, PAYMENT, 403, PAYMENT]],
    ['/payments/8600001?fields=amount,currency', [401, ['amount', 'currency'], 403, ['amount', 'currency']]],
    ['/users/1/orders', [401, ['data'], 403, ['data']]],
    ['/orders', [401, 403, 403, ['data']]],
  ];

  it.each(ROWS)('%s returns what each of four callers may see, or an error', async (path, expected) => {
    for (const mount of ['', '/api']) {
      for (const [index, caller] of REFERENCE_CALLERS.entries()) {
        const { status, body, text, headers } = await http.get(mount + path, { token: tokenOf(caller) });
        const fields = expected[index] ?? [];
        const wanted = typeof fields === 'number' ? fields : fields.toSorted();
        const seen =
          status === 200
            ? Object.keys(body)
                .filter((key) => !('data' in body) || key === 'data')
                .sort()
            : status;
        expect({ path, caller: caller.name, seen }).toEqual({ path, caller: caller.name, seen: wanted });
        if (typeof wanted === 'number') expect(leaksIn(text + JSON.stringify(headers), { data: path })).toEqual([]);
      }
    }
  });

  it('a list of users has an address only where the caller may see it', async () => {
    for (const [index, seen] of [[], ['1'], ['2'], ['1', '2']].entries()) {
      const caller = REFERENCE_CALLERS[index];
      const { text } = await http.get('/users', caller && { token: tokenOf(caller) });
      expect([...text.matchAll(/canary-email-(\d)/g)].map(([, id]) => id)).toEqual(seen);
    }
  });
});

describe('claims of tokens', () => {
  const request = async (claims: Readonly<Record<string, unknown>>) => {
    const token = signToken({ sub: '77', ...claims }, { key: DEVELOPMENT_KEY });
    const { status, text } = await http.post('/graphql', { query: '{ user(id: "2") { email } }' }, { token });
    return { status, isSeen: text.includes('canary-email-2') };
  };

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['roles as an object', { roles: { ADMIN: true, 0: 'ADMIN', length: 1 } }],
    ['roles as lists within lists', { roles: [['ADMIN']] }],
    ['roles as a number', { roles: 1 }],
    ['roles as true', { roles: true }],
    ['roles in another case', { roles: ['admin', 'Admin', 'ADMIN ', ' ADMIN', 'ADMIN\u0000', 'ＡＤＭＩＮ'] }],
    ['roles with commas', { roles: 'USER,ADMIN' }],
    ['a role by another name', { role: 'ADMIN', groups: ['ADMIN'], permissions: ['ADMIN'], scope: 'ADMIN' }],
    ['roles that are property names of every object', { roles: ['__proto__', 'constructor', 'hasOwnProperty'] }],
  ])('withholds a protected field from a caller with %s', async (_what, claims) => {
    expect(await request(claims)).toEqual({ status: 200, isSeen: false });
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['null', null],
    ['a number', 2],
    ['a list', ['2']],
    ['an object', { toString: '2' }],
    ['true', true],
  ])('rejects a token whose subject is %s', async (_what, sub) => {
    expect(await request({ sub })).toEqual({ status: 401, isSeen: false });
  });
});

describe('cached responses', () => {
  const path = `/graphql?query=${encodeURIComponent('{ user(id: "2") { name email } }')}`;
  const get = (roles: readonly string[] | undefined, sub = '77') =>
    http.get(path, roles === undefined ? {} : { token: signToken({ sub, roles }, { key: DEVELOPMENT_KEY }) });

  it('are not served to the same subject without the role of an administrator', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect((await get(['ADMIN'])).text).toContain('canary-email-2');
      expect((await get([])).text).not.toContain('canary');
      expect((await get(undefined)).text).not.toContain('canary');
      expect((await get([], '2')).text).toContain('canary-email-2');
      expect((await get(['USER'])).text).not.toContain('canary');
    }
  });

  it('are `private` or `no-store` when other callers may not read them', async () => {
    for (const response of [await get(['ADMIN']), await get([], '2'), await get([])]) {
      expect(response.headers['cache-control']).toMatch(/private|no-store/);
    }
  });

  it('do not give 304 to another caller who sends the tag of an administrator', async () => {
    const { headers } = await get(['ADMIN']);
    const etag = String(headers.etag);
    const token = signToken({ sub: '78' }, { key: DEVELOPMENT_KEY });
    for (const credentials of [{ token }, {}]) {
      const { status, text } = await http.get(path, { ...credentials, headers: { 'if-none-match': etag } });
      expect({ status, leaks: leaksIn(text, { data: null }) }).toEqual({ status: 200, leaks: [] });
    }
  });
});

describe('concurrent requests', () => {
  it('return to each of many callers its own response to one operation', async () => {
    const text = '{ users { nodes { id email age orders { nodes { total } } } } me { email } }';
    const expected = await Promise.all(REFERENCE_CALLERS.map((caller) => oracle(text, {}, caller)));
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const caller = REFERENCE_CALLERS[index % REFERENCE_CALLERS.length];
          const { body } = await http.post<{ data: unknown }>('/graphql', { query: text }, caller && { token: tokenOf(caller) });
          return body.data;
        }),
      );
      for (const [index, data] of responses.entries()) expect(data).toEqual(expected[index % REFERENCE_CALLERS.length]?.data);
    }
  });

  it('apply the permissions of each caller to a document that another caller registered', async () => {
    const transport = TRANSPORTS.find(({ name }) => name === 'persisted GET');
    const request = transport?.open(url);
    for (const caller of [...REFERENCE_CALLERS, ...REFERENCE_CALLERS.toReversed()]) {
      const text = '{ first: user(id: "1") { email } second: user(id: "2") { email } }';
      const { data } = (await request?.({ text, variables: {} }, caller)) ?? {};
      expect(data).toEqual((await oracle(text, {}, caller)).data);
    }
  });
});

describe('a supergraph that replaces another', () => {
  const RULE = / @auth\(requires: ADMIN, orOwner: "id"\)/;
  const operation = { text: '{ user(id: "2") { name email } }', variables: {} };

  async function serve(sdl: string) {
    let listener: SupergraphListener | undefined;
    const source: SupergraphSource = {
      name: 'the test',
      isLocal: true,
      start(given) {
        listener = given;
        given.onSupergraph(sdl);
      },
      async [Symbol.asyncDispose]() {},
    };
    let hold = Promise.resolve();
    const executor: GuardedGraph['executor'] = Object.assign(
      async (...given: Parameters<GuardedGraph['executor']>) => {
        await hold;
        return graph.executor(...given);
      },
      { async [Symbol.asyncDispose]() {} },
    );
    const served = await startGuardedGateway({ ...graph, executor }, [], {}, { supergraphSource: () => source });
    return {
      gateway: served,
      request: queryInProcess(served),
      hold(until: Promise<void>) {
        hold = until;
      },
      async reload(next: string) {
        const before = served.generations().loads + served.generations().rejections;
        listener?.onSupergraph(next);
        while (served.generations().loads + served.generations().rejections === before)
          await new Promise((resolve) => setTimeout(resolve, 5));
      },
      [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
    };
  }

  it('applies an added rule to new requests at once, with cached plans or not', async () => {
    const open = graph.supergraphSdl
      .replace(/(email: String[^\n]*) @auth\(requires: ADMIN, orOwner: "id"\)/, '$1')
      .replace('@creatorMayRead(fields: "user { email age }")', '@creatorMayRead(fields: "user { age }")');
    expect(open).not.toBe(graph.supergraphSdl);
    await using served = await serve(open);
    const [anonymous] = REFERENCE_CALLERS;
    if (anonymous === undefined) throw new Error('The list of callers is empty.');
    expect((await served.request(operation, anonymous)).text).toContain('canary-email-2');
    let release = (): void => {};
    served.hold(new Promise<void>((resolve) => (release = resolve)));
    const inFlight = served.request(operation, anonymous);
    await served.reload(graph.supergraphSdl);
    const newcomers = Promise.all(Array.from({ length: 20 }, async () => served.request(operation, anonymous)));
    release();
    served.hold(Promise.resolve());
    expect((await inFlight).text).toContain('canary-email-2'); // This request began under the previous rules.
    for (const { text } of await newcomers) expect(text).not.toContain('canary');
    await served.reload(open);
    expect((await served.request(operation, anonymous)).text).toContain('canary-email-2');
  });

  it('is rejected when its rules cannot be enforced, and the previous one remains', async () => {
    await using served = await serve(graph.supergraphSdl);
    await served.reload(graph.supergraphSdl.replace(RULE, ' @auth(requires: ADMIN, orOwner: "nothing")'));
    expect(served.gateway.generations().rejections).toBe(1);
    for (const caller of REFERENCE_CALLERS) {
      const { data } = await served.request(operation, caller);
      expect(data).toEqual((await oracle(operation.text, {}, caller)).data);
    }
  });
});
