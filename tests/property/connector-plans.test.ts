import { describe, expect, it } from '@jest/globals';
import { print } from 'graphql';
import type { VirtualSubgraph } from '../../gateway/connectors/expand/virtual-subgraph.ts';
import type { SelectedField } from '../../gateway/connectors/selection/selected-field.ts';
import { selectedFieldsOf } from '../../gateway/connectors/selection/selected-fields.ts';
import { createQueryPlanner } from '../../gateway/planning/create-query-planner.ts';
import type { PlannedFetch, PlanSelection } from '../../gateway/planning/operation-plan.ts';
import { expandComposed } from '../support/connectors/expand-composed.ts';
import { createRandom, type Random } from '../support/random/random.ts';

const GRAPHS = Number(process.env['CONNECTOR_GRAPHS'] ?? 10);
const QUERIES = 20;
const SEED = Number(process.env['CONNECTOR_SEED'] ?? Math.floor(Math.random() * 1_000_000));

const TYPES = ['A', 'B', 'C'] as const;
const LEAVES = ['x', 'y'];
const LINKS = new Map(TYPES.map((type) => [type.toLowerCase(), type]));

/** Writes a mapping of an object. Every object has its key. */
function mapping(random: Random, depth: number): string {
  const fields = ['id', ...LEAVES.filter(() => random.chance(0.5))];
  for (const link of LINKS.keys()) if (depth > 0 && random.chance(0.4)) fields.push(`${link} { ${mapping(random, depth - 1)} }`);
  return fields.join(' ');
}

/**
 * Writes a subgraph in which every field can be fetched by the key of its object: three types refer to each other, and each has a connector
 * for all of its fields, and some for parts of them. The field `more` has a separate connector.
 */
function subgraph(random: Random): string {
  const connect = (selection: string, more = ''): string => `@connect(http: { GET: "http://a.test" }, selection: "${selection}"${more})`;
  const roots = TYPES.flatMap((type) => {
    const links = [...LINKS.keys()].map((link) => `${link} { ${mapping(random, 1)} }`);
    const whole = `id x y ${links.join(' ')}`;
    const byId = `@connect(http: { GET: "http://a.test/{$args.id}" }, selection: "${whole}", entity: true)`;
    return [`one${type}(id: ID!): ${type} ${byId}`, `all${type}: [${type}] ${connect(mapping(random, 2))}`];
  });
  const types = TYPES.map((type) => {
    const onType = random.chance(0.5)
      ? `@connect(http: { POST: "http://a.test", body: "ids: $batch.id" }, selection: "${mapping(random, 2)}")`
      : '';
    const links = [...LINKS].map(([link, target]) => `${link}: ${target}`).join(' ');
    const own = `more: [${random.pick(TYPES)}] @connect(http: { GET: "http://a.test/{$this.id}" }, selection: "${mapping(random, 2)}")`;
    return `type ${type} ${onType} { id: ID! x: Int y: Int ${links} ${own} }`;
  });
  return `type Query { ${roots.join(' ')} } ${types.join(' ')}`;
}

function selection(random: Random, depth: number): string {
  const fields = ['id', ...LEAVES].filter(() => random.chance(0.5));
  for (const link of [...LINKS.keys(), 'more'])
    if (depth > 0 && random.chance(0.4)) fields.push(`${link} { ${selection(random, depth - 1)} }`);
  return fields.length === 0 ? 'x' : fields.join(' ');
}

/** Lists the fields of a request that its connector does not map, as paths. */
function unmapped({ connector }: VirtualSubgraph, { selections, lookups = [] }: PlannedFetch): readonly string[] {
  const mapped = selectedFieldsOf(connector.selection);
  const ofField: readonly SelectedField[] = [{ name: connector.field ?? '', offset: 0, isLeaf: false, children: mapped }];
  const ofEntity = connector.field === undefined || connector.isEntity ? mapped : ofField;
  return [...difference(selections ?? [], ofField), ...lookups.flatMap((lookup) => difference(lookup.selections, ofEntity))];
}

function difference(selections: readonly PlanSelection[], mapped: readonly SelectedField[]): readonly string[] {
  return selections.flatMap((one) => {
    if (one.kind === 'fragment') return difference(one.selections, mapped);
    if (one.name === '__typename') return [];
    const found = mapped.find(({ name }) => name === one.name);
    if (found === undefined) return [one.name];
    return difference(one.selections ?? [], found.children ?? []).map((path) => `${one.name}.${path}`);
  });
}

describe('plans over random connectors', () => {
  it(`request only fields that a connector maps (seed ${SEED})`, () => {
    for (let graph = 0; graph < GRAPHS; graph += 1) {
      const random = createRandom(SEED + graph);
      const con = subgraph(random);
      const { document, virtual } = expandComposed({ con });
      const planner = createQueryPlanner(print(document));
      for (let query = 0; query < QUERIES; query += 1) {
        const type = random.pick(TYPES);
        const text = `{ ${random.pick([`all${type}`, `one${type}(id: 1)`])} { ${selection(random, 3)} } }`;
        const { fetches } = planner.plan({ document: text, conditions: {}, labels: [] });
        const wrong = fetches.flatMap((fetch) => {
          const connector = virtual.get(fetch.subgraph);
          return connector === undefined ? [] : unmapped(connector, fetch).map((path) => `${fetch.subgraph}: ${path}`);
        });
        expect({ seed: SEED + graph, text, wrong }).toEqual({ seed: SEED + graph, text, wrong: [] });
      }
    }
  });
});
