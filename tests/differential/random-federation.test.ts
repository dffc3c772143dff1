import { describe, expect, it } from '@jest/globals';
import type { SubgraphExecutor, SubgraphResponse } from '../../gateway/supergraph/subgraph-executor.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import {
  type RandomFederation,
  queryMonolith,
  buildRandomFederation,
  startSubgraphs,
} from './random-federation/build-random-federation.ts';
import { generateSubgraphs } from './random-federation/generate-subgraphs.ts';
import { classify } from './random-federation/classify.ts';
import { createGraph, createRequest, runRequest } from './random-federation/run-case.ts';

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@shareable", "@external", "@requires", "@override", "@interfaceObject"])`;

/** The seed only determines values. */
const SEED = 7;

const SUBGRAPHS = [
  {
    name: 'a',
    sdl: `${LINK}
      type Query { thing: Thing! }
      type Thing @key(fields: "id") { id: ID! weight: Int! moved: Int! }`,
  },
  {
    name: 'b',
    sdl: `${LINK}
      type Query { other: Thing! }
      type Thing @key(fields: "id") {
        id: ID!
        weight: Int! @external
        price: Int! @requires(fields: "weight")
        moved: Int! @override(from: "a")
      }
      type Stub @key(fields: "id", resolvable: false) { id: ID! }`,
  },
  { name: 'c', sdl: `${LINK} type Query { stub: Stub } type Stub @key(fields: "id") { id: ID! note: String! }` },
];

function build(): RandomFederation {
  const federation = buildRandomFederation(SUBGRAPHS, SEED);
  if ('reasons' in federation) throw new Error(federation.reasons.join('; '));
  return federation;
}

async function request(executor: SubgraphExecutor, subgraph: string, query: string, variables: object = {}): Promise<SubgraphResponse> {
  const context = { principal: ANONYMOUS, correlationId: 'test', headers: {} };
  return executor({ subgraph, kind: 'query', body: JSON.stringify({ query, variables }), context }, new AbortController().signal);
}

const ENTITIES = 'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Thing { price id } } }';

describe('the subgraphs of a random federation', () => {
  it.each([
    ['another subgraph’s field', 'b', '{ other { weight } }', 'b does not resolve Thing.weight.'],
    ['a field that another subgraph has overridden', 'a', '{ thing { moved } }', 'a no longer resolves Thing.moved.'],
    ['a field whose required fields were not sent', 'b', '{ other { price } }', 'The required field weight was not sent.'],
  ])('fail for a request for %s', async (_what, subgraph, query, message) => {
    const { executor } = startSubgraphs(build(), []);
    const { data, errors } = await request(executor, subgraph, query);
    expect(data).toBeNull();
    expect(errors?.map((error) => error.message)).toEqual([message]);
  });

  it.each([
    ['without a complete key', { __typename: 'Thing', weight: 1 }, 'b resolves no reference'],
    ['to an entity that does not exist', { __typename: 'Thing', id: 'id:Thing-99', weight: 1 }, 'There is no'],
    ['with a key that is not resolvable', { __typename: 'Stub', id: 'id:Stub-1' }, 'b resolves no reference'],
    ['of a type that the subgraph does not know', { __typename: 'Unknown', id: '1' }, 'b does not know the type Unknown.'],
    ['that lacks required fields', { __typename: 'Thing', id: 'id:Thing-1' }, 'The required field weight was not sent.'],
  ])('fail for a reference %s', async (_what, representation, message) => {
    const { executor } = startSubgraphs(build(), []);
    const { data, errors } = await request(executor, 'b', ENTITIES, { representations: [representation] });
    expect(data).toEqual({ _entities: [null] });
    expect(errors?.[0]?.message).toContain(message);
  });

  it('compute a different value from a different required field', async () => {
    const { executor } = startSubgraphs(build(), []);
    const prices = async (weight: number): Promise<unknown> =>
      (await request(executor, 'b', ENTITIES, { representations: [{ __typename: 'Thing', id: 'id:Thing-1', weight }] })).data;
    expect(await prices(1)).not.toEqual(await prices(2));
    expect(await prices(1)).toEqual(await prices(1));
  });

  it('count a case as wrong when a subgraph request is invalid, whatever the result', async () => {
    const federation = build();
    const run = startSubgraphs(federation, []);
    await request(run.executor, 'a', '{ nothing }');
    expect(run.invalid).toHaveLength(1);
    const truth = await queryMonolith(federation, { text: '{ thing { id } }', variables: {}, labels: [] });
    expect(classify(truth, truth, run.invalid)).toMatchObject({ kind: 'wrong', class: 'invalid subgraph request' });
  });
});

describe('the comparison with a correct result', () => {
  const truth = { data: { a: null, b: { c: 1, d: null } }, errors: [error('a', 'x'), error('b', 'd')] };
  const { data, errors } = truth;

  it.each([
    ['another value', { data: { a: null, b: { c: 2, d: null } }, errors }, 'data'],
    ['a missing value', { data: { a: null, b: { c: 1 } }, errors }, 'data'],
    ['another order of keys', { data: { a: null, b: { d: null, c: 1 } }, errors }, 'order of keys'],
    ['a missing error at a field', { data, errors: [error('a', 'x')] }, 'missing error'],
    ['a missing error beneath a null', { data, errors: [error('b', 'd')] }, 'missing error'],
    ['a duplicate error', { data, errors: [...errors, error('b', 'd')] }, 'additional error'],
    ['an error at another path', { data, errors: [...errors, error('b', 'c')] }, 'additional error'],
  ])('classifies %s as wrong', (_what, ours, difference) => {
    expect(classify(ours, truth, [])).toMatchObject({ kind: 'wrong', class: difference });
  });

  it('classifies another error beneath the same null as right, and counts it', () => {
    expect(classify({ data, errors: [error('a', 'y'), error('b', 'd')] }, truth, [])).toEqual({
      kind: 'right',
      leniencies: ['errors beneath a null'],
    });
    expect(classify(truth, truth, [])).toEqual({ kind: 'right', leniencies: [] });
  });
});

describe('a failure', () => {
  it('does not occur where it would remove a required field', () => {
    const federation = buildRandomFederation(
      [
        {
          name: 'a',
          sdl: `${LINK} type Query { item: Item } type Item @key(fields: "id") { id: ID! owner: Owner }
            type Owner { name: String address: Address! contact: Contact } type Address { street: String! city: String }
            type Contact { mail: String! }`,
        },
        {
          name: 'b',
          sdl: `${LINK} type Item @key(fields: "id") { id: ID! owner: Owner @external label: String @requires(fields: "owner { name }") }
            type Owner { name: String @external }`,
        },
      ],
      SEED,
    );
    if ('reasons' in federation) throw new Error(federation.reasons.join('\n'));
    const { fields } = federation.world;
    const mayFail = (type: string, field: string): boolean | undefined => fields.find(type, field)?.mayFail;
    expect([mayFail('Owner', 'name'), mayFail('Owner', 'address'), mayFail('Address', 'street')]).toEqual([false, false, false]);
    expect([mayFail('Owner', 'contact'), mayFail('Address', 'city'), mayFail('Contact', 'mail')]).toEqual([true, true, true]);
  });
});

describe('a seed', () => {
  it('produces the same graphs, operations and results twice', async () => {
    expect(generateSubgraphs(SEED)).toEqual(generateSubgraphs(SEED));
    expect(generateSubgraphs(SEED)).not.toEqual(generateSubgraphs(SEED + 1));
    const seed = Array.from({ length: 20 }, (_item, index) => SEED + index).find((candidate) => !('reasons' in createGraph(candidate)));
    if (seed === undefined) throw new Error('None of the seeds produces a graph.');
    const [one, other] = [createGraph(seed), createGraph(seed)];
    if ('reasons' in one || 'reasons' in other) throw new Error('The seed does not produce a graph each time.');
    const request = createRequest(one.federation, seed, 3);
    expect(createRequest(other.federation, seed, 3)).toEqual(request);
    expect((await runRequest(one, request)).truth).toEqual((await runRequest(other, request)).truth);
  });

  it('has every feature that makes planning hard among many graphs', () => {
    const graphs = Array.from({ length: 200 }, (_item, seed) =>
      generateSubgraphs(seed)
        .map(({ sdl }) => sdl.slice(sdl.indexOf('])') + 2))
        .join('\n'),
    );
    const parts = [
      /@key\(fields: "k1 k2"\)/,
      /@key\(fields: "org \{ code \}"\)/,
      /@key\(fields: "parts \{ code \}"\)/,
      /@key\(fields: "owner \{ id \}"\)/,
      /interface M0 @key[^]*interface M0 @key/,
      /resolvable: false/,
      /@requires\(fields: "[^"]*\{/,
      /@requires\(fields: "[^"]*\.\.\. on/,
      /@requires\(fields: "[^"]*\(/,
      /@requires\(fields: "[^"]*\br\d/,
      /@requires\(fields: "[^"]*\{ n0 /,
      /@provides\(fields: "[^"]*\.\.\. on/,
      /@provides\(fields: "n0"/,
      /@provides\(fields: "\w+ \{ [^"]*\{/,
      /@override\(from: "\w"\)/,
      /label: "percent/,
      /label: "custom/,
      /@interfaceObject[^]*@interfaceObject/,
      /enum Size/,
      /@inaccessible/,
      /@fromContext/,
      /interface I1 implements I0/,
      /union U0/,
      /type Mutation/,
      /\[\[/,
    ];
    expect(parts.filter((part) => !graphs.some((text) => part.test(text)))).toEqual([]);
  });
});

function error(...path: string[]) {
  return { message: 'fails', path };
}
