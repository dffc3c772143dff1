import { afterAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '../../../gateway/platform/principal.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { type Gateway, GatewayError } from '../../../gateway/index.ts';
import type { SubgraphExecutor, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { queryInProcess } from './run-matrix.ts';

const HEAD = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key", "@inaccessible", "@composeDirective", "@authenticated"])
  @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"])
  @composeDirective(name: "@auth")
enum Role { USER ADMIN constructor }
directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION | OBJECT
scalar Any
`;

/**
 * Composes a supergraph of SDL texts without their common head.
 *
 * @throws Error when the texts do not compose
 */
function compose(...texts: readonly string[]): string {
  const { supergraphSdl, errors } = composeSubgraphs(
    texts.map((text, index) => ({ name: `s${index}`, url: `http://s${index}.invalid/`, files: [{ path: 'x', text: HEAD + text }] })),
  );
  if (supergraphSdl === undefined) throw new Error(JSON.stringify(errors));
  return supergraphSdl;
}

const user = (id: string, more: Partial<Principal> = {}): Principal => ({
  kind: 'user',
  id,
  roles: new Set(),
  scopes: new Set(),
  claims: {},
  ...more,
});

type ReceivedResponse = (subgraph: string, query: string) => SubgraphResponse;

/** Current responses of the subgraphs. */
let respond: ReceivedResponse = () => ({ data: null });

/** One gateway for each supergraph. The tests differ only in callers and subgraph responses. */
const gateways = new Map<string, Promise<Gateway>>();
afterAll(async () => {
  for (const gateway of await Promise.allSettled(gateways.values())) {
    if (gateway.status === 'fulfilled') await gateway.value[Symbol.asyncDispose]();
  }
});

function gatewayOf(supergraphSdl: string): Promise<Gateway> {
  const known = gateways.get(supergraphSdl);
  if (known !== undefined) return known;
  const executor: SubgraphExecutor = async ({ subgraph, body }) => respond(subgraph, (JSON.parse(body) as { query: string }).query);
  const gateway = startGuardedGateway({ supergraphSdl, executor: Object.assign(executor, { async [Symbol.asyncDispose]() {} }) });
  gateways.set(supergraphSdl, gateway);
  return gateway;
}

/** Executes an operation with the given subgraph responses, and returns the response to the caller. */
async function report(supergraphSdl: string, sendResponse: ReceivedResponse, text: string, principal: Principal) {
  const requested: string[] = [];
  respond = (subgraph, query) => {
    requested.push(`${subgraph} ${query}`);
    return sendResponse(subgraph, query);
  };
  const gateway = await gatewayOf(supergraphSdl);
  const reported = await queryInProcess(gateway)({ text, variables: {} }, { name: '', principal });
  return { ...reported, requested, codes: (reported.errors ?? []).map(({ extensions }) => extensions?.code) };
}

const THING = compose(
  'type Query { thing: Thing } type Thing { owner: Any note: String secret: String @auth(requires: ADMIN, orOwner: "owner") }',
);

describe('a field that only the owner and administrators may see', () => {
  const thingOf = (owner: unknown, caller: Principal) =>
    report(THING, () => ({ data: { thing: { __typename: 'Thing', owner, secret: 'canary' } } }), '{ thing { secret } }', caller);

  it.each<[string, unknown, Principal]>([
    ['null, and an empty subject', null, user('')],
    ['an empty string, and an empty subject', '', user('')],
    ['an empty string, and an anonymous caller', '', user('', { kind: 'anonymous' })],
    ['undefined', undefined, user('undefined')],
    ['null, and a subject of that name', null, user('null')],
    ['true, and a subject of that name', true, user('true')],
    ['a list with the subject', ['7'], user('7')],
    ['an object with the subject', { toString: '7', id: '7' }, user('7')],
    ['a string with spaces', ' 7', user('7')],
    ['another notation of the number', '07', user('7')],
    ['a number with a fraction', 7.5, user('7')],
    ['the subject in another case', 'ALICE', user('alice')],
    ['a number that JSON does not carry exactly', 9_007_199_254_740_992, user('9007199254740992')],
    ['a number so large that its text has an exponent', 1e21, user('1e+21')],
    ['a property name of every object', 'constructor', user('__proto__')],
  ])('is withheld for an owner that is %s', async (_what, owner, caller) => {
    const { data, text, codes } = await thingOf(owner, caller);
    expect({ data, codes }).toEqual({
      data: { thing: { secret: null } },
      codes: [caller.kind === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN'],
    });
    expect(text).not.toContain('canary');
  });

  it.each<[string, unknown, Principal]>([
    ['a text', '7', user('7')],
    ['a number', 7, user('7')],
    ['a text that is not ASCII', 'Zoë', user('Zoë')],
    ['another user, and the caller an administrator', '8', user('7', { roles: new Set(['ADMIN']) })],
    ['null, and the caller an administrator', null, user('7', { roles: new Set(['ADMIN']) })],
    ['a service with that name', 'billing', user('billing', { kind: 'service' })],
  ])('is shown, but the owner is not, when the owner is %s', async (_what, owner, caller) => {
    const { text } = await thingOf(owner, caller);
    expect(text).toBe('{"data":{"thing":{"secret":"canary"}}}');
  });

  it.each<[string, Principal]>([
    ['a role of another case', user('7', { roles: new Set(['admin', 'Admin', 'ADMIN ', 'ADMINS']) })],
    ['the role as a scope', user('7', { scopes: new Set(['ADMIN']) })],
    ['the role as a claim that is not read', user('7', { claims: { roles: ['ADMIN'], ADMIN: true } })],
    ['roles that are property names of every object', user('7', { roles: new Set(['constructor', '__proto__', 'toString']) })],
    ['no credentials', user('', { kind: 'anonymous', roles: new Set() })],
  ])('is withheld from a caller with %s', async (_what, caller) => {
    expect((await thingOf('8', caller)).text).not.toContain('canary');
  });

  it('is not granted by an alias that looks like the one of the gateway for owners', async () => {
    for (const alias of ['__owner_owner', 'owner', '__owner', '_owner', 'owner_1']) {
      const { text } = await report(
        THING,
        (_subgraph, query) => ({
          // The subgraph responds under the aliases that the gateway requests.
          data: { thing: Object.fromEntries([['__typename', 'Thing'], ...readKeys(query, { owner: '8', note: '7', secret: 'canary' })]) },
        }),
        `{ thing { ${alias}: note secret } }`,
        user('7'),
      );
      expect({ alias, leaks: text.includes('canary') }).toEqual({ alias, leaks: false });
    }
  });
});

/** Lists the response keys of the innermost selection with the values of their fields. */
function readKeys(query: string, values: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  return [...query.matchAll(/(?:(\w+):\s*)?(\w+)/g)].flatMap(([, alias, field = '']): [string, unknown][] =>
    Object.hasOwn(values, field) ? [[alias ?? field, values[field]]] : [],
  );
}

describe('owners that another subgraph knows', () => {
  const sdl = compose(
    'type Query { all: [Paid] } type Paid @key(fields: "id") { id: ID! salary: Int @auth(requires: ADMIN, orOwner: "owner") }',
    'type Paid @key(fields: "id") { id: ID! owner: ID @inaccessible }',
  );
  // Created for each request, because the gateway modifies subgraph responses.
  const all = (): SubgraphResponse => ({
    data: {
      all: [
        { __typename: 'Paid', id: '1', salary: 8_123_456 },
        { __typename: 'Paid', id: '2', salary: 8_123_457 },
      ],
    },
  });
  const known =
    (owners: unknown): ReceivedResponse =>
    (subgraph) =>
      subgraph === 's0' ? all() : { data: { _entities: owners as readonly unknown[] } };
  const request = (respond: ReceivedResponse) => report(sdl, respond, '{ all { salary } }', user('7'));

  it("the field of the caller's object is shown, and that of another object is not", async () => {
    const { data, errors, text } = await request(
      known([
        { __typename: 'Paid', owner: '7' },
        { __typename: 'Paid', owner: '8' },
      ]),
    );
    expect(data).toEqual({ all: [{ salary: 8_123_456 }, { salary: null }] });
    expect(errors?.map(({ path }) => path)).toEqual([['all', 1, 'salary']]);
    expect(text).not.toContain('8123457');
  });

  it.each<[string, ReceivedResponse]>([
    ['does not know them', known([null, null])],
    ['returns no owners', known([{ __typename: 'Paid' }, { __typename: 'Paid', owner: null }])],
    ['returns fewer than requested', known([{ __typename: 'Paid', owner: '8' }])],
    ['returns errors', (subgraph) => (subgraph === 's0' ? all() : { data: null, errors: [{ message: 'no', code: 'NOT_FOUND' }] })],
    [
      'cannot be reached',
      (subgraph) => {
        if (subgraph === 's0') return all();
        throw new GatewayError('SUBGRAPH_UNAVAILABLE', 'A service cannot be reached.');
      },
    ],
  ])('nothing is shown and an error is reported when the subgraph of the owners %s', async (_what, respond) => {
    const { text, errors } = await request(respond);
    expect(text).not.toMatch(/812345[67]/);
    expect(errors).not.toEqual([]);
  });
});

describe('rules that cannot be enforced', () => {
  const error = (text: string): Promise<string> =>
    report(compose(text), () => ({ data: {} }), '{ __typename }', user('7')).then(
      () => 'it is served',
      (error: unknown) => String(error),
    );

  it.each([
    ['a field that does not exist', 'type Query { a: A } type A { id: ID secret: Int @auth(requires: ADMIN, orOwner: "nothing") }'],
    ['a list', 'type Query { a: A } type A { owners: [ID] secret: Int @auth(requires: ADMIN, orOwner: "owners") }'],
    ['an object', 'type Query { a: A } type A { owner: A secret: Int @auth(requires: ADMIN, orOwner: "owner") }'],
    [
      'a field that needs arguments',
      'type Query { a: A } type A { owner(of: ID!): ID secret: Int @auth(requires: ADMIN, orOwner: "owner") }',
    ],
    ['a property name of every object', 'type Query { a: A } type A { id: ID secret: Int @auth(requires: ADMIN, orOwner: "constructor") }'],
    ['a path', 'type Query { a: A } type A { id: ID secret: Int @auth(requires: ADMIN, orOwner: "a.id") }'],
    ['a field of the root', 'type Query { id: ID a: Int @auth(requires: ADMIN, orOwner: "id") }'],
    ['a field of a mutation', 'type Query { a: Int } type Mutation { id: ID b: Int @auth(requires: ADMIN, orOwner: "id") }'],
  ])('rejects a supergraph in which `orOwner` names %s, and names the coordinate', async (_what, text) => {
    expect(await error(text)).toMatch(/cannot be served.*\b(?:A\.secret|Query\.a|Mutation\.b)\b/);
  });
});

describe('lists with objects of several owners', () => {
  const sdl = compose(`
    type Query { grid: [[Item!]!] strict: [[Item!]!]! one: Item any: [Any1] }
    union Item = Mine | Open
    union Any1 = Mine | Open
    type Mine @auth(requires: ADMIN, orOwner: "owner") { owner: ID code: String }
    type Open { code: String }
  `);
  const mine = (owner: string) => ({ __typename: 'Mine', owner, __owner_owner: owner, code: `canary-${owner}` });
  const open = { __typename: 'Open', code: 'open' };

  it('nulls the nearest nullable list when an item of another owner is in nested lists', async () => {
    const rows = [[open, mine('7')], [mine('8'), open], [open]];
    const { data, errors, text } = await report(
      sdl,
      () => ({ data: { grid: rows, strict: rows } }),
      '{ grid { ... on Mine { code } ... on Open { code } } }',
      user('7'),
    );
    expect(data).toEqual({ grid: null });
    expect(errors?.map(({ path }) => path)).toEqual([['grid', 1, 0]]);
    expect(text).not.toContain('canary');
  });

  it('nulls each nullable item of another owner, with an error', async () => {
    const { data, errors } = await report(
      sdl,
      () => ({ data: { any: [mine('7'), mine('8'), open, null, mine('9')] } }),
      '{ any { __typename ... on Mine { code } } }',
      user('7'),
    );
    expect(data).toEqual({ any: [{ __typename: 'Mine', code: 'canary-7' }, null, { __typename: 'Open' }, null, null] });
    expect(errors?.map(({ path }) => path)).toEqual([
      ['any', 1],
      ['any', 4],
    ]);
  });

  it('limits the number of errors for very many denials, and reports the limit', async () => {
    const { data, errors = [] } = await report(
      sdl,
      () => ({ data: { any: Array.from({ length: 5_000 }, () => mine('8')) } }),
      '{ any { ... on Mine { code } } }',
      user('7'),
    );
    expect((data as { any: unknown[] }).any.every((item) => item === null)).toBe(true);
    expect(errors.length).toBeLessThanOrEqual(501);
    expect(errors.length).toBeGreaterThan(1);
  });
});
