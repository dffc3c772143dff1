import { describe, expect, it } from '@jest/globals';
import { type OperationDefinitionNode, parse } from 'graphql';
import { createPlanningScopes } from '../../../../gateway/planning/create-planning-scopes.ts';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { type PlanSize, leastSizeOf } from '../../../../gateway/planning/least-size.ts';
import type { OperationPlan } from '../../../../gateway/planning/operation-plan.ts';
import { planClientSelection } from '../../../../gateway/planning/plan-selection.ts';
import { planWhole } from '../../../../gateway/planning/planning-index.ts';
import { createRoot } from '../../../../gateway/planning/positions.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { readFederatedGraph } from '../../../../gateway/supergraph/read-federated-graph.ts';
import { generateOperation } from '../../../differential/generate-operation.ts';
import { buildRandomFederation } from '../../../differential/random-federation/build-random-federation.ts';
import { generateSubgraphs } from '../../../differential/random-federation/generate-subgraphs.ts';

function leastSize(sdl: string, text: string): PlanSize {
  const document = parse(sdl);
  const graph = readFederatedGraph(document);
  const query = graph.types.get(graph.roots.query ?? '');
  if (query === undefined) throw new Error('The graph has no queries.');
  const operation = parse(text);
  const [definition] = operation.definitions as readonly OperationDefinitionNode[];
  if (definition === undefined) throw new Error('The document has no operation.');
  const settings = { isJoining: false, maxMultiplied: 24, taken: [], earlier: undefined };
  const input = { document: text, conditions: {}, labels: [] };
  const [scope] = createPlanningScopes({ ...planWhole(graph, document), ...settings }, operation, definition, input);
  planClientSelection(scope, createRoot(query), [definition.selectionSet]);
  return leastSizeOf(scope);
}

function sizeOf({ fetches }: OperationPlan): PlanSize {
  const waves: number[] = [];
  for (const { dependsOn } of fetches) waves.push(1 + Math.max(0, ...dependsOn.map((index) => waves[index] ?? 0)));
  return { requests: fetches.length, waves: Math.max(0, ...waves) };
}

const KEYS = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])';

function compose(subgraphs: Readonly<Record<string, string>>): string {
  const sources = Object.entries(subgraphs).map(([name, sdl]) => ({
    name,
    url: `http://${name}/`,
    files: [{ path: `${name}.graphql`, text: `${KEYS} ${sdl}` }],
  }));
  const result = composeSubgraphs(sources);
  if (result.errors !== undefined) throw new Error(result.errors.map(({ message }) => message).join('; '));
  return result.supergraphSdl;
}

const GRAPH = compose({
  a: `type Query { item: Item any: Any shared: Shared @shareable }
      type Item @key(fields: "id") { id: ID! name: String }
      type Shared @shareable { x: Int }
      type Other @key(fields: "id") { id: ID! o: Int }
      union Any = Item | Other`,
  b: `type Query { shared: Shared @shareable }
      type Item @key(fields: "id") { id: ID! price: Int part: Part }
      type Part @key(fields: "id") { id: ID! }
      type Shared @shareable { x: Int y: Int }`,
  c: 'type Part @key(fields: "id") { id: ID! weight: Int } type Other @key(fields: "id") { id: ID! p: Int }',
});

describe('leastSizeOf', () => {
  it.each([
    ['a field of one subgraph', '{ item { name } }', { requests: 1, waves: 1 }],
    ['a field behind a key', '{ item { name price } }', { requests: 2, waves: 2 }],
    ['a field behind two keys', '{ item { part { weight } } }', { requests: 3, waves: 3 }],
    // No field is chosen separately, so no need is known.
    ['a selection that one subgraph resolves as a whole', '{ shared { x y } }', { requests: 0, waves: 0 }],
    ['no field of a subgraph', '{ __typename }', { requests: 0, waves: 0 }],
    // Which types occur depends on the plan.
    ['a field of a union', '{ any { ... on Other { p } } }', { requests: 1, waves: 1 }],
  ])('returns the least size for %s', (_which, text, size) => {
    expect(leastSize(GRAPH, text)).toEqual(size);
  });

  it.each([1, 2, 3, 4, 5, 7, 8, 9, 10])('is never above the size of a plan, for the random graph of seed %d', (seed) => {
    const federation = buildRandomFederation(generateSubgraphs(seed), seed);
    if ('reasons' in federation) throw new Error(federation.reasons.join('; '));
    const { supergraphSdl, monolith: schema } = federation;
    const planner = createQueryPlanner(supergraphSdl);
    for (let index = 0; index < 12; index += 1) {
      const { text } = generateOperation({ schema, seed: seed * 1_000 + index, maxFields: 12, maxDepth: 5, keys: ['id', 'x', 'label'] });
      if (/@skip|@include|fragment/.test(text)) continue;
      const least = leastSize(supergraphSdl, text);
      const size = sizeOf(planner.plan({ document: text, conditions: {}, labels: [] }));
      expect([text, least.requests <= size.requests, least.waves <= size.waves]).toEqual([text, true, true]);
    }
  });
});
