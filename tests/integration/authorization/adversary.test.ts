import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Gateway } from '../../../gateway/index.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { createOracle, type Oracle } from '../../fixtures/authorization/oracle.ts';
import type { Caller } from '../../fixtures/authorization/policy.ts';
import { buildReferenceGraph, REFERENCE_CALLERS } from '../../fixtures/authorization/reference-graph.ts';
import { buildScopedGraph, SCOPED_CALLERS } from '../../fixtures/authorization/scoped-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { queryInProcess, compare, leaksIn } from './run-matrix.ts';

interface UnderAttack {
  readonly graph: GuardedGraph;
  readonly gateway: Gateway;
  readonly oracle: Oracle;
}

async function prepare(graph: GuardedGraph, callers: readonly Caller[]): Promise<UnderAttack> {
  return { graph, gateway: await startGuardedGateway(graph, callers), oracle: createOracle(graph.monolith, graph.policy) };
}

let reference: UnderAttack;
let scoped: UnderAttack;
beforeAll(async () => {
  reference = await prepare(await buildReferenceGraph(), REFERENCE_CALLERS);
  scoped = await prepare(buildScopedGraph(), SCOPED_CALLERS);
});
afterAll(async () => {
  await reference.gateway[Symbol.asyncDispose]();
  await scoped.gateway[Symbol.asyncDispose]();
});

/** Lists the differences between the responses to several callers and the policy. */
async function problemsOf({ gateway, oracle }: UnderAttack, callers: readonly Caller[], text: string, variables = {}) {
  const problems: string[] = [];
  for (const caller of callers) {
    const expected = await oracle(text, variables, caller);
    const response = await queryInProcess(gateway)({ text, variables }, caller);
    problems.push(...compare(response, expected).map((problem) => `${caller.name}: ${problem}`));
  }
  return problems;
}

const named = (id: string): Caller => ({
  name: id,
  principal: { kind: 'user', id, roles: new Set(), scopes: new Set(), claims: {} } satisfies Principal,
});

describe('response names that collide with selections of the gateway', () => {
  // The caller has the same name as another value of the object. Code that takes that value for the owner would grant access.
  const impostors = [named('Name 2'), named('2026'), named('Name 1')];

  it.each([
    '{ user(id: "2") { id: name email } }',
    '{ user(id: "2") { __owner_id: name email } }',
    '{ user(id: "2") { email __owner_id: name age } }',
    '{ user(id: "2") { __owner_id: name ... on User { email } ...F } } fragment F on User { id: name age }',
    '{ users { nodes { id: name orders { nodes { userId: status id } } } } }',
    '{ orders { nodes { __owner_userId: id userId: status total } } }',
    '{ orders { nodes { userId: status user { id: name email } } } }',
    '{ search(term: "x") { ... on User { id: name email } ... on Post { author { id: name age } } } }',
    '{ search(term: "x") { ... on Node { ... on User { __owner_id: name email } id } } }',
    '{ a: user(id: "2") { id: name email } b: user(id: "1") { id email } }',
    '{ payment(id: "8600002") { userId: id id: userId amount order { userId: id user { id: name email } } } }',
    '{ __owner_user: user(id: "2") { __typename_: __typename email } }',
    '{ user(id: "2") { __typename: name email } }',
    '{ order(id: "8200002") { __typename: status total } }',
  ])('a caller that is named like another field is not the owner: %s', async (text) => {
    expect(await problemsOf(reference, [...impostors, ...REFERENCE_CALLERS], text)).toEqual([]);
  });

  it.each([
    '{ accounts { tenant: name salary } }',
    '{ accounts { __owner_tenant: name salary name } }',
    '{ me { salary __owner_tenant: id } }',
  ])('the name of an owner field that clients cannot see is free, and grants nothing: %s', async (text) => {
    expect(await problemsOf(scoped, [named('Name 2'), named('a1'), ...SCOPED_CALLERS], text)).toEqual([]);
  });
});

describe('one response key with different permissions', () => {
  it.each([
    '{ nodes { note ... on Book { note } } }',
    '{ nodes { ... on Book { note } note } }',
    '{ nodes { ... on Film { note } ... on Book { note } } }',
    '{ items { ... on Book { x: isbn } ... on Film { x: title } ... on Account { x: email } } }',
    '{ me { shelf { ... on Book { x: isbn } ... on Film { x: note } ... on Account { x: email } } } }',
    '{ products { x: title ... on Book { y: isbn } ... on Film { y: note } } }',
    '{ me { name ...A ...B } } fragment A on Account { friends { name email } } fragment B on Account { friends { salary note } }',
    '{ me { vault { code } ...A } } fragment A on Account { vault { keys { label } } }',
  ])('each of five callers sees what the policy grants: %s', async (text) => {
    expect(await problemsOf(scoped, SCOPED_CALLERS, text)).toEqual([]);
  });
});

describe('conditions around denied fields', () => {
  const text = `query ($a: Boolean!, $b: Boolean!) {
    me { name @include(if: $a) salary @skip(if: $b) ... @include(if: $a) { token vault @include(if: $b) { code } } ...F @skip(if: $a) }
    internal @include(if: $b)
    audit @skip(if: $a) { entries }
  }
  fragment F on Account { email note @include(if: $b) rank }`;

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])('with $a = %s and $b = %s, each of five callers sees what the policy grants', async (a, b) => {
    expect(await problemsOf(scoped, SCOPED_CALLERS, text, { a, b })).toEqual([]);
  });

  it('checks the values of variables that only denied fields use, and does nothing else', async () => {
    const shipping = 'query ($express: Boolean, $id: ID!) { order(id: $id) { shippingCost(express: $express) } book(id: "1") { title } }';
    expect(await problemsOf(reference, REFERENCE_CALLERS, shipping, { express: true, id: '8200001' })).toEqual([]);
    const wrong = queryInProcess(reference.gateway)({ text: shipping, variables: { express: 'canary', id: '1' } }, named('2'));
    await expect(wrong).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('several root fields', () => {
  it('does not execute a denied mutation next to an allowed one', async () => {
    const text = 'mutation { a: touch(id: "a1") { account { name } } b: rename(id: "a1") { account { name } } }';
    scoped.graph.takeRequested();
    const response = await queryInProcess(scoped.gateway)({ text, variables: {} }, { name: 'anonymous', principal: ANONYMOUS });
    const requested = [...scoped.graph.takeRequested().keys()];
    expect(requested).not.toContain('Mutation.rename');
    expect({ data: response.data, paths: response.errors?.map(({ path }) => path) }).toEqual({ data: null, paths: [['b']] });
  });

  it('sends no subgraph request when every field is denied', async () => {
    for (const text of [
      '{ internal audit { entries } token }',
      '{ items { __typename } manuscript { page } }',
      'mutation { rename(id: "a1") { account { name } } }',
    ]) {
      scoped.graph.takeRequested();
      await queryInProcess(scoped.gateway)({ text, variables: {} }, { name: 'anonymous', principal: ANONYMOUS });
      expect({ text, requested: [...scoped.graph.takeRequested().keys()] }).toEqual({ text, requested: [] });
    }
  });

  it('reports each path once when five callers select every guarded field of an account', async () => {
    const text =
      '{ accounts { name note email nickname token rank ranks vault { code } vaults { code } safe { code colour } salary friends { salary email } } }';
    expect(await problemsOf(scoped, SCOPED_CALLERS, text)).toEqual([]);
  });
});

describe('introspection', () => {
  it('shows an anonymous caller the whole schema next to denied fields, but no data', async () => {
    const text = '{ __typename __type(name: "Vault") { name fields { name } } me { __typename vault { __typename code } } }';
    const response = await queryInProcess(scoped.gateway)({ text, variables: {} }, { name: 'anonymous', principal: ANONYMOUS });
    expect(response.data).toMatchObject({ __typename: 'Query', __type: { name: 'Vault' }, me: { __typename: 'Account', vault: null } });
    expect(leaksIn(response.text, { data: null })).toEqual([]);
  });

  it('hides the authorization directives and their requirements', async () => {
    const text = '{ __schema { directives { name } types { name } } }';
    const { text: body } = await queryInProcess(scoped.gateway)({ text, variables: {} }, { name: 'anonymous', principal: ANONYMOUS });
    expect(body).not.toMatch(/"(?:authenticated|requiresScopes|policy|auth)"/);
    expect(body).not.toContain('tenant');
  });
});

describe('policies that a hook decides', () => {
  const text = '{ me { vault { code } safe { code } } }';
  const request = async (policies: NonNullable<Parameters<typeof startGuardedGateway>[3]>['policies']) => {
    await using gateway = await startGuardedGateway(scoped.graph, [], {}, policies === undefined ? {} : { policies });
    const response = await queryInProcess(gateway)({ text, variables: {} }, named('somebody'));
    return {
      leaks: leaksIn(response.text, { data: null }),
      codes: [...new Set(response.errors?.map(({ extensions }) => extensions?.code))],
    };
  };

  it.each<[string, () => unknown, readonly string[]]>([
    ['rejects', () => Promise.reject(new Error('canary-hook')), ['AUTH_UNAVAILABLE']],
    [
      'throws synchronously',
      () => {
        throw new Error('canary-hook');
      },
      ['AUTH_UNAVAILABLE'],
    ],
    ['returns nothing', () => undefined, ['AUTH_UNAVAILABLE']],
    ['returns true', () => true, ['AUTH_UNAVAILABLE']],
    ['returns one name as a string', () => 'vault', ['FORBIDDEN', 'AUTH_UNAVAILABLE']],
    ['returns an object with inherited names', () => Object.create({ vault: true, master: true }), ['FORBIDDEN']],
    ['returns values that are almost true', () => ({ vault: 1, master: 'true', safe: {} }), ['FORBIDDEN']],
    ['returns no names', () => [], ['FORBIDDEN']],
    ['returns other names', () => ['VAULT', 'constructor', 'toString', 'vault '], ['FORBIDDEN']],
  ])('withholds what depends on a hook that %s', async (_what, hook, codes) => {
    const { leaks, codes: reported } = await request(hook as never);
    expect(leaks).toEqual([]);
    for (const code of reported) expect(codes).toContain(code);
    expect(reported).not.toEqual([]);
  });

  it('does not show a concurrent caller what the hook grants to another', async () => {
    await using gateway = await startGuardedGateway(
      scoped.graph,
      [],
      {},
      {
        policies: async (_names, { id }) => (id === 'in' ? ['vault', 'master'] : []),
      },
    );
    const responses = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const id = index % 2 === 0 ? 'in' : 'out';
        return { id, ...(await queryInProcess(gateway)({ text, variables: {} }, named(id))) };
      }),
    );
    for (const { id, text: body } of responses) expect({ id, seen: body.includes('canary-vault') }).toEqual({ id, seen: id === 'in' });
  });

  it('decides separately for concurrent requests of one caller whose policies change', async () => {
    let count = 0;
    await using gateway = await startGuardedGateway(
      scoped.graph,
      [],
      {},
      { policies: () => ((count += 1) % 2 === 0 ? ['vault', 'master'] : []) },
    );
    const seen = await Promise.all(
      Array.from({ length: 20 }, async () => (await queryInProcess(gateway)({ text, variables: {} }, named('one'))).text),
    );
    expect(seen.filter((body) => body.includes('canary-vault'))).toHaveLength(10);
  });
});

describe('cost', () => {
  it('rejects an operation above the cost limit even when most of it is denied', async () => {
    await using gateway = await startGuardedGateway(reference.graph, [], { limits: { mode: 'enforce', maxCost: 100 } });
    const text = '{ users(first: 10) { nodes { orders(first: 100) { nodes { id } } } } }';
    for (const caller of REFERENCE_CALLERS) {
      await expect(queryInProcess(gateway)({ text, variables: {} }, caller)).rejects.toMatchObject({ code: 'COST_LIMIT_EXCEEDED' });
    }
  });
});
