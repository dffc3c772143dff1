import { describe, expect, it } from '@jest/globals';
import { execute, getNamedType, type GraphQLResolveInfo, isListType, isNonNullType, type GraphQLOutputType } from 'graphql';
import { generateOperation } from '../differential/generate-operation.ts';
import { createRandom, type Random } from '../support/random/random.ts';
import { newGeneration } from '../support/gateway/new-generation.ts';
import { SHOP } from '../unit/gateway/operation/cost/shop-graph.ts';
import { DEFAULT_LIMITS } from '../support/gateway/default-limits.ts';

const OPERATIONS = Number(process.env['COST_OPERATIONS'] ?? 1_000);
const FIRST_SEED = Number(process.env['COST_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** Weights of the shop's fields and types, copied by hand. */
const FIELD_WEIGHTS: Readonly<Record<string, number>> = { 'Query.dear': 7, 'Posts.total': 2, 'Mutation.pay': 50 };
const TYPE_WEIGHTS: Readonly<Record<string, number>> = { User: 1, Post: 3, Posts: 1, Edge: 1, Kind: 1 };

interface Item {
  readonly __typename: string;
  /** Length of the lists below this item, when the parent field defines it. */
  readonly size?: number;
}

/** Resolves every field at random, with lists that are at most as long as requested or assumed, and adds up the cost of each item. */
function createWorld(random: Random) {
  let cost = 0;

  function sizeFor(
    { fieldName, parentType }: GraphQLResolveInfo,
    args: Readonly<Record<string, unknown>>,
    { size }: Partial<Item>,
  ): number {
    if (parentType.name === 'Posts') return size ?? 0;
    const requested = [args['first'], args['last']].filter((value) => typeof value === 'number').filter((value) => value >= 0);
    if (requested.length > 0) return random.below(Math.max(...requested) + 1);
    if (fieldName === 'someUsers') return random.below(6);
    return random.below(fieldName === 'fixed' ? 4 : 11);
  }

  function typeNameOf(type: GraphQLOutputType): string {
    const { name } = getNamedType(type);
    return name === 'Node' || name === 'Found' ? random.pick(['User', 'Post']) : name;
  }

  function makeItem(type: GraphQLOutputType, coordinate: string, size: number): unknown {
    const name = typeNameOf(type);
    cost += FIELD_WEIGHTS[coordinate] ?? TYPE_WEIGHTS[name] ?? 0;
    if (name === 'Kind') return 'NEWS';
    if (name === 'ID' || name === 'String') return 'x';
    return name === 'Int' ? 1 : { __typename: name, size };
  }

  function make(outputType: GraphQLOutputType, coordinate: string, size: number): unknown {
    if (isNonNullType(outputType)) return make(outputType.ofType, coordinate, size);
    if (!isListType(outputType)) return makeItem(outputType, coordinate, size);
    return Array.from({ length: size }, () => make(outputType.ofType, coordinate, random.below(11)));
  }

  /** Returns the cost of the arguments that have a weight. */
  function costOfArguments(args: Readonly<Record<string, unknown>>): number {
    const { filter, text } = args as { readonly filter?: Filter | null; readonly text?: string | null };
    return costOfFilter(filter) + (typeof text === 'string' ? 4 : 0);
  }

  return {
    cost: () => cost,
    resolve(
      source: Partial<Item> | undefined,
      args: Readonly<Record<string, unknown>>,
      _context: unknown,
      info: GraphQLResolveInfo,
    ): unknown {
      if (info.parentType.name === 'Mutation') cost += 10;
      cost += costOfArguments(args);
      return make(info.returnType, `${info.parentType.name}.${info.fieldName}`, sizeFor(info, args, source ?? {}));
    },
  };
}

interface Filter {
  readonly and?: readonly Filter[] | null;
  readonly slow?: string | null;
}

function costOfFilter(filter: Filter | null | undefined): number {
  if (filter === null || filter === undefined) return 0;
  return 1 + (typeof filter.slow === 'string' ? 9 : 0) + (filter.and ?? []).reduce((sum, each) => sum + costOfFilter(each), 0);
}

const generation = newGeneration({ loaded: SHOP, settings: { limits: { ...DEFAULT_LIMITS, mode: 'measure' }, maxTokens: 100_000 } });

function pageSizes(coordinate: string, random: Random): unknown {
  return /\((?:first|last):\)$/.test(coordinate) ? random.pick([0, 1, 2, 5, 12, -1, -2_147_483_648]) : undefined;
}

function runSeed(seed: number) {
  const kind = seed % 5 === 0 ? 'mutation' : 'query';
  const {
    text,
    document,
    variables: raw,
  } = generateOperation({ schema: SHOP.schema, seed, kind, maxFields: 12, maxDepth: 4, valueFor: pageSizes });
  const prepared = generation.prepareOperation(text);
  const variables = prepared.coerceVariables(raw);
  const world = createWorld(createRandom(seed));
  const result = execute({ schema: SHOP.schema, document, variableValues: raw, fieldResolver: world.resolve });
  if (result instanceof Promise) throw new Error('Expected synchronous execution.');
  return { text, raw, estimated: prepared.cost(variables), actual: prepared.actualCost(result.data, variables), counted: world.cost() };
}

describe(`the cost of ${OPERATIONS} random operations from seed ${FIRST_SEED} (COST_SEED)`, () => {
  it('never exceeds the estimate, and equals the independent count for known object types', () => {
    let same = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + OPERATIONS; seed += 1) {
      const { estimated, actual, counted, ...facts } = runSeed(seed);
      if (actual === counted) same += 1;
      if (counted > estimated || actual > estimated) {
        throw new Error(`Seed ${seed}: ${JSON.stringify({ estimated, actual, counted, ...facts }, null, 1)}`);
      }
    }
    expect(same / OPERATIONS).toBeGreaterThan(0.5);
  });
});
