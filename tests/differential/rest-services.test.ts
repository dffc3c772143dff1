import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeCase } from './random-federation/describe-case.ts';
import { SUBGRAPH_NAMES, generateSubgraphs } from './random-federation/generate-subgraphs.ts';
import { createRequest, runRequest, toGraph } from './random-federation/run-case.ts';
import { tally } from './random-federation/tally.ts';
import { adaptSubgraphs } from './random-rest/adapt-subgraphs.ts';
import { buildRestFederation } from './random-rest/build-rest-federation.ts';
import { createRestGraph } from './random-rest/create-rest-graph.ts';
import { CONNECTOR_KINDS } from './random-rest/draw-connectors.ts';
import { restTally } from './random-rest/rest-tally.ts';
import { DIRECT, startRestTransport } from './random-rest/rest-transport.ts';

const CASES = Number(process.env['DIFFERENTIAL_CASES'] ?? 160);
const FIRST_SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** Number of operations that are run on each graph. Many graphs show more than many operations. */
const CASES_OF_A_GRAPH = 20;

/** Number of tests. Several tests report a failure early, and none of them takes long. */
const SHARDS = 4;

let http: Awaited<ReturnType<typeof startRestTransport>>;

beforeAll(async () => {
  http = await startRestTransport(SUBGRAPH_NAMES);
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
});

describe(`random graphs with REST services from seed ${FIRST_SEED} (DIFFERENTIAL_SEED)`, () => {
  const seeds = Array.from({ length: SHARDS }, (_item, part) => FIRST_SEED + part * 100_000);

  it.each(seeds)('return the results of a single schema for random operations, from seed %i on', async (first) => {
    const counts = tally(restTally());
    const wanted = Math.ceil(CASES / SHARDS);
    for (let seed = first; counts.cases < wanted; seed += 1) {
      const graph = createRestGraph(seed, http);
      counts.countGraph(graph);
      if ('reasons' in graph) continue;
      for (let index = 0; index < CASES_OF_A_GRAPH && counts.cases < wanted; index += 1) {
        const result = await runRequest(graph, createRequest(graph.federation, seed, index));
        counts.countCase(result, graph);
        if (result.classification.kind === 'wrong') {
          throw new Error(await describeCase({ graph, result }, `DIFFERENTIAL_SEED=${seed} DIFFERENTIAL_CASE=${index}`));
        }
      }
    }
    expect(counts.problems()).toEqual([]);
  });
});

describe('a random graph with REST services', () => {
  it.each([
    ['a required field whose nested value a mapping leaves out', 1_058_951, 18],
    ['a subgraph that is queried a second time by a key whose fields it resolves', 437_781, 1],
  ])('returns the results of a single schema for %s', async (_what, seed, index) => {
    const graph = createRestGraph(seed, http);
    if ('reasons' in graph) throw new Error(`The graph of seed ${seed} cannot be composed.`);
    const result = await runRequest(graph, createRequest(graph.federation, seed, index));
    expect(result.classification.kind).not.toBe('wrong');
  });

  it('has each kind of connector among a few graphs', () => {
    const graphs = Array.from({ length: 12 }, (_item, seed) => createRestGraph(seed, http));
    const kinds = graphs
      .flatMap((graph) => ('reasons' in graph ? [] : [...graph.federation.connectors.values()].flat()))
      .map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(CONNECTOR_KINDS));
  });

  it('is the same for the same seed', () => {
    expect(adaptSubgraphs(generateSubgraphs(3), 3)).toEqual(adaptSubgraphs(generateSubgraphs(3), 3));
  });

  it('retains a GraphQL server for contexts', () => {
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@context", "@fromContext"])
      type Query { giver: Giver }
      type Giver @key(fields: "id") @context(name: "giving") { id: ID! given: String taker: Taker }
      type Taker @key(fields: "id") { id: ID! taken(from: String @fromContext(field: "$giving { given }")): String }`;
    expect(adaptSubgraphs([{ name: 'a', sdl }], 1)).toMatchObject({ rest: [], limits: ['context'] });
  });

  it('has a string instead of a type within itself, and no arguments where there is no key', () => {
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key"])
      type Query { node: Node part: Part }
      type Node @key(fields: "id") { id: ID! next: [Node] }
      type Part { size(unit: Int): Int }`;
    const { subgraphs, rest, limits } = adaptSubgraphs([{ name: 'a', sdl }], 1);
    expect({ rest, limits }).toEqual({ rest: ['a'], limits: [] });
    expect(subgraphs[0]?.sdl).toContain('next: [String]');
    expect(subgraphs[0]?.sdl).toContain('size: Int');
  });

  it('finds an object by a key whose path leads through a list inside of an object', async () => {
    const definitions = `type Item @key(fields: "owner { parts { code } }") { owner: Owner! @shareable`;
    const shared = `type Owner @shareable { parts: [Part!]! } type Part @shareable { code: String! }`;
    const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@shareable"])`;
    const subgraphs = [
      { name: 'a', sdl: `${link} type Query { items: [Item!]! } ${definitions} } ${shared}` },
      { name: 'b', sdl: `${link} ${definitions} size: Int! } ${shared}` },
    ];
    const kinds = new Set<string>();
    for (let seed = 0; kinds.size < 2; seed += 1) {
      const federation = buildRestFederation(subgraphs, seed, DIRECT);
      if ('reasons' in federation) throw new Error(federation.reasons.join('\n'));
      const result = await runRequest(toGraph(federation), { text: '{ items { size } }', variables: {}, labels: [] });
      expect(result.classification).toMatchObject({ kind: 'right' });
      for (const { subgraph, connector } of result.exchanges) if (subgraph === 'b' && connector !== undefined) kinds.add(connector);
    }
    expect(kinds).toEqual(new Set(['$this', '$batch']));
  });
});
