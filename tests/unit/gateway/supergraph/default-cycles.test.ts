import { describe, expect, it } from '@jest/globals';
import {
  type ConstValueNode,
  type GraphQLInputField,
  type GraphQLSchema,
  type InputObjectTypeDefinitionNode,
  type InputValueDefinitionNode,
  isInputObjectType,
  Kind,
  parse,
  printSchema,
} from 'graphql';
import { createIndexes } from '../../../../gateway/planning/indexing/create-indexes.ts';
import { runSteps } from '../../../../gateway/platform/run-steps.ts';
import { composeSubgraphs } from '../../../../gateway/supergraph/compose-subgraphs.ts';
import { findDefaultCycle } from '../../../../gateway/supergraph/default-cycles.ts';
import { loadSupergraph, loadSupergraphInSteps } from '../../../../gateway/supergraph/load-supergraph.ts';
import { SchemaOnDemand } from '../../../../gateway/supergraph/schema-on-demand.ts';
import { SupergraphInvalid } from '../../../../gateway/supergraph/supergraph-invalid.ts';
import { supergraphWith } from '../../../support/graphql/supergraph-with.ts';
import { createRandom, type Random } from '../../../support/random/random.ts';

const QUERY = 'type Query { a(b: A): Int }';

const CYCLES = [
  ['one field', 'input A { a: A = {} }', 'A.a -> A.a'],
  ['two fields', 'input A { b: B = {} }\ninput B { a: A = {} }', 'A.b -> B.a -> A.b'],
  ['fields behind another one', 'input A { b: B = {} }\ninput B { c: C! = {} }\ninput C { b: [B!] = [{}] }', 'B.c -> C.b -> B.c'],
  ['a nested object', 'input A { x: Int b: B = { a: { x: 1 } } }\ninput B { a: A = { x: 2 } }', 'A.b -> A.b'],
  ['a list with two objects', 'input A { a: [A] = [{ a: null }, {}] }', 'A.a -> A.a'],
  ['an object for a list', 'input A { a: [[A]] = {} }', 'A.a -> A.a'],
  ['a hidden field', 'input A { x: Int a: A = {} @inaccessible }', 'A.a -> A.a'],
  ['an unused type', 'input A { x: Int }\ninput B { b: B = {} }', 'B.b -> B.b'],
] as const;

const READERS = [
  ['loadSupergraph', (sdl: string) => void loadSupergraph(sdl)],
  ['createIndexes', (sdl: string) => void createIndexes(sdl, { hasAuthentication: true })],
  ['loadSupergraphInSteps', (sdl: string) => void runSteps(loadSupergraphInSteps(sdl))],
] as const;

/** Returns the public schema as commands create it, and as a gateway creates it on demand. */
function schemasOf(sdl: string): readonly GraphQLSchema[] {
  const indexes = createIndexes(sdl, { hasAuthentication: true });
  if (indexes === undefined) throw new Error('The supergraph has no indexes.');
  return [loadSupergraph(sdl).schema, runSteps(loadSupergraphInSteps(sdl)).schema, new SchemaOnDemand(sdl, indexes.serving)];
}

function inputField(schema: GraphQLSchema, coordinate: string): GraphQLInputField {
  const [name = '', field = ''] = coordinate.split('.');
  const type = schema.getType(name);
  const found = isInputObjectType(type) ? type.getFields()[field] : undefined;
  if (found === undefined) throw new Error(`The schema has no ${coordinate}.`);
  return found;
}

describe('default values of input fields that refer to each other', () => {
  it.each(CYCLES)('are rejected in a supergraph: %s', (_name, types, cycle) => {
    for (const [, read] of READERS) {
      const act = (): void => read(supergraphWith(`${QUERY}\n${types}`));
      expect(act).toThrow(SupergraphInvalid);
      expect(act).toThrow(`The supergraph cannot be served: default values of input fields refer to each other: ${cycle}`);
    }
  });

  it('are rejected with the line of the first field and the remedy', () => {
    const sdl = supergraphWith(`${QUERY}\ninput A {\n  b: B = {}\n}\ninput B {\n  a: A = {}\n}`);
    const line = sdl.split('\n').indexOf('  b: B = {}') + 1;
    expect(() => loadSupergraph(sdl)).toThrow(
      `A.b -> B.a -> A.b (line ${line}). GraphQL does not permit that, because none of these values can be determined. Remove one of them, ` +
        'or write the next field of the cycle into one, such as a into the default value of A.b.',
    );
  });

  it('are rejected by composition, with the file of the subgraph', () => {
    const text = `${QUERY}\ninput A { b: B = {} }\ninput B {\n  a: A = {}\n}`;
    const { errors } = composeSubgraphs([
      { name: 'plain', url: 'http://plain.invalid', files: [{ path: 'plain.graphql', text: 'type Query { b: Int }' }] },
      { name: 'films', url: 'http://films.invalid', files: [{ path: 'films.graphql', text }] },
    ]);
    expect(errors).toEqual([
      {
        message: expect.stringMatching(/^\[films\] Default values of input fields refer to each other: A\.b -> B\.a -> A\.b\. GraphQL/),
        code: 'DEFAULT_VALUE_CYCLE',
        locations: [{ file: 'films.graphql', line: 2, column: 11 }],
      },
    ]);
  });
});

describe('default values of input fields without a cycle', () => {
  it.each([
    ['null', 'input A { a: A = null }', { 'A.a': null }],
    ['a field that is null', 'input A { b: B = { a: null } }\ninput B { a: A = {} }', { 'A.b': { a: null }, 'B.a': { b: { a: null } } }],
    ['an empty list', 'input A { a: [A!] = [{ a: [] }] }', { 'A.a': [{ a: [] }] }],
    ['a field without a default', 'input A { a: A = { a: { a: null } } c: C = {} }\ninput C { a: A }', { 'A.c': {} }],
    ['fields of the same type', 'input A { a: A b: B = {} c: B = {} }\ninput B { n: Int! = 3 }', { 'A.b': { n: 3 }, 'A.c': { n: 3 } }],
  ])('have the same value in every public schema: %s', (_name, types, expected: Readonly<Record<string, unknown>>) => {
    const schemas = schemasOf(supergraphWith(`${QUERY}\n${types}`));
    for (const [coordinate, value] of Object.entries(expected)) {
      expect(schemas.map((schema) => inputField(schema, coordinate).defaultValue)).toEqual([value, value, value]);
    }
    const [first, ...others] = schemas.map((schema) => printSchema(schema));
    expect(others).toEqual([first, first]);
  });

  it('can be objects of a scalar', () => {
    const schemas = schemasOf(supergraphWith(`${QUERY}\ninput A { a: Any = { a: {} } }\nscalar Any`));
    expect(schemas.map((schema) => inputField(schema, 'A.a').defaultValue)).toEqual([{ a: {} }, { a: {} }, { a: {} }]);
  });

  it('can be read from types that refer to each other, in any order', () => {
    const sdl = supergraphWith(`${QUERY}\ninput A { b: B = { a: null } n: Int = 1 }\ninput B { a: A = { n: 2 } }`);
    for (const coordinate of ['B.a', 'A.b']) {
      for (const schema of schemasOf(sdl)) inputField(schema, coordinate);
    }
    const expected = { b: { a: null }, n: 2 };
    expect(schemasOf(sdl).map((schema) => inputField(schema, 'B.a').defaultValue)).toEqual([expected, expected, expected]);
  });
});

/** Detects a cycle as the GraphQL specification defines it (InputObjectDefaultValueHasCycle, September 2025). */
function hasCycle(types: ReadonlyMap<string, InputObjectTypeDefinitionNode>): boolean {
  const inValue = (type: string, value: ConstValueNode, visited: readonly InputValueDefinitionNode[]): boolean => {
    if (value.kind === Kind.LIST) return value.values.some((item) => inValue(type, item, visited));
    if (value.kind !== Kind.OBJECT) return false;
    return (types.get(type)?.fields ?? []).some((field) => {
      const name = field.type.kind === Kind.NAMED_TYPE ? field.type.name.value : '';
      const given = value.fields.find((one) => one.name.value === field.name.value)?.value;
      if (given !== undefined) return inValue(name, given, visited);
      if (field.defaultValue === undefined) return false;
      return visited.includes(field) || inValue(name, field.defaultValue, [...visited, field]);
    });
  };
  const empty: ConstValueNode = { kind: Kind.OBJECT, fields: [] };
  return [...types.keys()].some((name) => inValue(name, empty, []));
}

const SEED = Number(process.env['DEFAULTS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const SCHEMAS = 100;

function randomInputs(random: Random): string {
  const types = ['A', 'B', 'C'];
  const fieldTypes = new Map(types.flatMap((type) => ['x', 'y'].map((field) => [`${type}.${field}`, random.pick(types)] as const)));
  const valueOf = (type: string, depth: number): string => {
    if (random.chance(0.15)) return 'null';
    const given = ['x', 'y'].filter(() => depth < 3 && random.chance(0.45));
    return `{ ${given.map((field) => `${field}: ${valueOf(fieldTypes.get(`${type}.${field}`) ?? '', depth + 1)}`).join(' ')} }`;
  };
  const field = (type: string, name: string): string => {
    const fieldType = fieldTypes.get(`${type}.${name}`) ?? '';
    return `${name}: ${fieldType}${random.chance(0.5) ? ` = ${valueOf(fieldType, 0)}` : ''}`;
  };
  return types.map((type) => `input ${type} { ${field(type, 'x')} ${field(type, 'y')} }`).join('\n');
}

describe('random default values of input fields', () => {
  it(`are rejected exactly when the specification defines a cycle, seed ${SEED} (DEFAULTS_SEED)`, () => {
    const random = createRandom(SEED);
    let rejected = 0;
    for (let index = 0; index < SCHEMAS; index += 1) {
      const sdl = randomInputs(random);
      const document = parse(sdl);
      const types = new Map(
        document.definitions.flatMap((node) => (node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ? [[node.name.value, node] as const] : [])),
      );
      const isRejected = findDefaultCycle(document) !== undefined;
      expect({ sdl, isRejected }).toEqual({ sdl, isRejected: hasCycle(types) });
      rejected += Number(isRejected);
      if (isRejected) continue;
      const [first, ...others] = schemasOf(supergraphWith(`${QUERY}\n${sdl}`)).map((schema) => printSchema(schema));
      expect({ sdl, others }).toEqual({ sdl, others: [first, first] });
    }
    expect(rejected).toBeGreaterThan(SCHEMAS / 10);
    expect(rejected).toBeLessThan(SCHEMAS);
  });
});
