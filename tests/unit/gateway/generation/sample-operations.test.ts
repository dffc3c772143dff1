import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { compileOperation } from '../../../../gateway/execution/compile-operation.ts';
import { createSampleExecutor } from '../../../../gateway/generation/sample-responses.ts';
import { writeSampleOperations } from '../../../../gateway/generation/sample-operations.ts';
import { selectOperation } from '../../../../gateway/operation/select-operation.ts';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { loadStorefront, storefrontSdl } from '../../../fixtures/storefront/storefront.ts';

const NEVER = new AbortController().signal;
const CONTEXT = { principal: ANONYMOUS, correlationId: 'test', headers: {} };

const SCHEMAS = {
  'the storefront': loadStorefront().schema,
  'one field': buildSchema('type Query { name: String }'),
  'types that contain themselves': buildSchema('type Query { me: Person! } type Person { friends(first: Int!): [Person!]! me: Person }'),
  'interfaces and unions': buildSchema(`
    type Query { node(id: ID!): Node any: [Any!] }
    interface Node { id: ID! }
    interface Named implements Node { id: ID! name: String! }
    type One implements Node & Named { id: ID! name: String! other: Any }
    type Two implements Node { id: ID! name: Int }
    union Any = One | Two
    input Filter { by: [ID!]! }
    enum Order { UP DOWN }
    type Mutation { change(filter: Filter!): Boolean }
  `),
  'required arguments of all kinds': buildSchema(`
    scalar Date
    input Filter { by: [ID!]!, since: Date }
    enum Order { UP DOWN }
    type Query { a(filter: Filter!, order: Order!, ids: [[ID!]!]!, since: Date!, size: Int! = 3): [[Item]] }
    type Item { b(filter: Filter!): Item c: Date d: Order }
  `),
};

describe('generated operations', () => {
  it.each(Object.entries(SCHEMAS))('are valid against a schema with %s', (_name, schema) => {
    const operations = [...writeSampleOperations(schema, 60)];
    expect(operations).toHaveLength(60);
    for (const operation of operations) {
      expect(validate(schema, parse(operation)).map(({ message }) => `${message}\n${operation}`)).toEqual([]);
    }
  });

  it('are the same each time, and have different sizes', () => {
    const { schema } = loadStorefront();
    const first = [...writeSampleOperations(schema, 30)];
    expect([...writeSampleOperations(schema, 30)]).toEqual(first);
    expect(new Set(first).size).toBe(30);
    expect(new Set(first.map(({ length }) => Math.ceil(length / 100))).size).toBeGreaterThan(2);
  });

  it('do not exist for a schema without queries', () => {
    expect([...writeSampleOperations(buildSchema('type Person { name: String }'), 10)]).toEqual([]);
  });

  it('get data for all their fields from made-up responses', async () => {
    const { schema } = loadStorefront();
    const planner = createQueryPlanner(storefrontSdl());
    const executor = createSampleExecutor(schema);
    let objects = 0;
    for (const text of writeSampleOperations(schema, 60)) {
      const document = parse(text);
      const plan = planner.plan({ document: text, conditions: {}, labels: [] });
      const executable = compileOperation({ plan, schema, document, operation: selectOperation(document), conditions: {} });
      const result = await executable.execute({ variables: {}, context: CONTEXT, executor, signal: NEVER });
      expect(`${text}\n${JSON.stringify(result.errors)}`).toBe(`${text}\n[]`);
      objects += result.objects ?? 0;
    }
    expect(objects).toBeGreaterThan(100);
  });
});
