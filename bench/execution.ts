import { performance } from 'node:perf_hooks';
import { composeServices } from '@apollo/composition';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { type OperationDefinitionNode, execute, parse } from 'graphql';
import { compileOperation } from '../gateway/execution/compile-operation.ts';
import { ANONYMOUS } from '../gateway/platform/principal.ts';
import type { SubgraphExecutor } from '../gateway/supergraph/subgraph-executor.ts';

// Times prepared execution of a large nested response, two levels of entities, against graphql-js over the same data.
// Run: npx tsx bench/execution.ts

const USERS = 50;
const REVIEWS = 8;
const PRODUCTS = 40;

const HEAD = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key"])';
const SDL = {
  users: `${HEAD} type Query { users: [User!]! } type User @key(fields: "id") { id: ID! name: String! age: Int email: String }`,
  reviews: `${HEAD} type User @key(fields: "id") { id: ID! reviews: [Review!]! }
    type Review { id: ID! body: String! stars: Int! product: Product! } type Product @key(fields: "upc") { upc: ID! }`,
  products: `${HEAD} type Product @key(fields: "upc") { upc: ID! name: String! price: Float weight: Int inStock: Boolean! tags: [String!]! }`,
};
const QUERY = '{ users { id name age email reviews { id body stars product { upc name price weight inStock tags } } } }';

interface Product {
  readonly upc: string;
  readonly name: string;
  readonly price: number;
  readonly weight: number;
  readonly inStock: boolean;
  readonly tags: readonly string[];
}

const products: readonly Product[] = Array.from({ length: PRODUCTS }, (_item, index) => ({
  upc: `p${index}`,
  name: `Product number ${index}`,
  price: index * 1.25,
  weight: index,
  inStock: index % 3 > 0,
  tags: ['one', 'two', `tag ${index}`],
}));

const reviewsOf = (user: number) =>
  Array.from({ length: REVIEWS }, (_item, index) => ({
    id: `r${user}-${index}`,
    body: `A review of some length, number ${index} by user ${user}.`,
    stars: index % 6,
    product: { __typename: 'Product', upc: `p${(user * 7 + index) % PRODUCTS}` },
  }));

const userAt = (index: number) => ({
  __typename: 'User',
  id: `${index}`,
  name: `User ${index}`,
  age: 20 + index,
  email: `user${index}@example.org`,
});

/** Subgraphs whose answers are texts made before; parsing them is part of the work, as it is with real ones. */
function createSubgraphs(): SubgraphExecutor {
  const users = JSON.stringify({ users: Array.from({ length: USERS }, (_item, index) => userAt(index)) });
  const answers = new Map<string, string>();
  return async ({ subgraph, body }) => {
    if (subgraph === 'users') return { data: JSON.parse(users) };
    let text = answers.get(body);
    if (text === undefined) {
      const { variables } = JSON.parse(body) as { variables: { representations: { id?: string; upc?: string }[] } };
      text = JSON.stringify({
        _entities: variables.representations.map(({ id, upc }) => {
          return id === undefined
            ? products.find((product) => product.upc === upc)
            : { __typename: 'User', reviews: reviewsOf(Number(id)) };
        }),
      });
      answers.set(body, text);
    }
    return { data: JSON.parse(text) };
  };
}

function measure(name: string, times: readonly number[]): void {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(3);
  process.stdout.write(`${name.padEnd(44)} median ${at(0.5)} ms   p90 ${at(0.9)} ms\n`);
}

async function time(rounds: number, run: () => unknown): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    await run();
    if (round >= rounds / 4) times.push(performance.now() - before);
  }
  return times;
}

const { supergraphSdl } = composeServices(Object.entries(SDL).map(([name, text]) => ({ name, url: 'http://x', typeDefs: parse(text) })));
const supergraph = Supergraph.build(supergraphSdl ?? '', { supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES });
const schema = supergraph.apiSchema().toGraphQLJSSchema();
const document = parse(QUERY);
const operation = document.definitions[0] as OperationDefinitionNode;
const plan = new QueryPlanner(supergraph).buildQueryPlan(operationFromDocument(supergraph.apiSchema(), document));
const executable = compileOperation({ plan, schema, supergraph, document, operation });
const executor = createSubgraphs();
const run = {
  variables: {},
  context: { principal: ANONYMOUS, correlationId: '', headers: {} },
  executor,
  signal: new AbortController().signal,
};
const { data, errors } = await executable.execute(run);
const whole = JSON.parse(data) as Record<string, unknown>;
process.stdout.write(`response: ${data.length} characters, ${errors.length} errors\n`);
const texts: string[] = [];
const recorder: SubgraphExecutor = async (request, signal) => {
  const answer = await executor(request, signal);
  texts.push(JSON.stringify(answer.data));
  return answer;
};
await executable.execute({ ...run, executor: recorder });

measure('compileOperation', await time(400, () => compileOperation({ plan, schema, supergraph, document, operation })));
measure('execute (parse, merge, represent, print)', await time(2_000, () => executable.execute(run)));
measure('  of which JSON.parse of the subgraph answers', await time(2_000, () => texts.map((text): unknown => JSON.parse(text))));
measure('JSON.stringify of the response alone', await time(2_000, () => JSON.stringify(whole)));
measure(
  'graphql-js execute and JSON.stringify',
  await time(400, async () => JSON.stringify(await execute({ schema, document, rootValue: whole }))),
);
