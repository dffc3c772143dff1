import { describe, expect, it } from '@jest/globals';
import { compileOperation } from '../../../gateway/execution/compile-operation.ts';
import { createGeneration } from '../../../gateway/generation/create-generation.ts';
import type { Generation } from '../../../gateway/generation/generation.ts';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';
import { DEFAULT_LIMITS } from '../../support/gateway/default-limits.ts';

const TYPES = 40;
const FIELDS = 30;
const DOCUMENTS = 20;
/** @unit bytes */
const MAX_BYTES = 2_000_000;
/** Tolerance for rough estimates: beyond this factor they would not bound anything. */
const FACTOR = 1.5;
/** Memory that does not depend on the number of operations. @unit bytes */
const FIXED_BYTES = 2_000_000;
const BOUND = FACTOR * MAX_BYTES + FIXED_BYTES;

const fields = Array.from({ length: FIELDS }, (_, index) => `f${index}: String`).join(' ');
const types = Array.from({ length: TYPES }, (_, index) => `type T${index} implements Item { ${fields} next: Item }`);
const sdl = `interface Item { ${fields} next: Item } type Query { items: [Item] item: Item } ${types.join(' ')}`;

function supergraph(): string {
  const { supergraphSdl, errors } = composeSubgraphs([{ name: 'a', url: 'http://a.test', files: [{ path: 'a.graphql', text: sdl }] }]);
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

const loaded = loadSupergraph(supergraph());
const planner = createQueryPlanner(loaded.sdl);

function newGeneration(maxCachedOperationBytes: number): Generation {
  return createGeneration({
    loaded,
    planner: { plan: async (input) => structuredClone(planner.plan(input)), [Symbol.asyncDispose]: async () => undefined },
    executor: Object.assign(async () => ({ data: {} }), { [Symbol.asyncDispose]: async () => undefined }),
    compile: compileOperation,
    settings: {
      maxTokens: 10_000,
      limits: { ...DEFAULT_LIMITS, mode: 'enforce' },
      maxErrors: 10,
      maxVariableDepth: 20,
      isSchemaShown: true,
      maxCachedOperations: 1_000,
      maxCachedOperationBytes,
    },
    logger: silentLogger,
  });
}

async function run(generation: Generation, text: string, data: unknown): Promise<string> {
  const executable = await generation.prepareOperation(text).executable({}, []);
  const result = await executable.execute({
    variables: {},
    context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
    executor: async () => ({ data: structuredClone(data) as Record<string, unknown> }),
    signal: new AbortController().signal,
  });
  expect(result.errors).toEqual([]);
  return result.data;
}

/** One value of each type. */
const items = Array.from({ length: TYPES }, (_, index) => ({ __typename: `T${index}` }));

/** Writes a document that selects all fields, and one of them twice, so that each document is a different operation. */
function documentOf(index: number): string {
  const all = Array.from({ length: FIELDS }, (_, field) => `f${field}`).join(' ');
  return `{ items { ${all} ... on T${index} { again: f0 } } }`;
}

/** Builds a chain of objects from the numbers of their types. */
function chainOf([type, ...others]: readonly number[]): unknown {
  return type === undefined ? null : { __typename: `T${type}`, f0: String(type), next: chainOf(others) };
}

describe('point 24: response shapes, compiled when values of their types arrive', () => {
  it('stay within maxCachedOperationBytes for responses with values of all types', async () => {
    await using generation = newGeneration(MAX_BYTES);
    const before = await retainedBytes();
    for (let index = 0; index < DOCUMENTS; index += 1) await run(generation, documentOf(index), { items });
    const grown = await grownBytes(before, BOUND);
    if (process.env['SHOW_BYTES'] !== undefined) console.info(grown);
    expect(grown).toBeLessThan(BOUND);
  });

  it('do not grow with the number of chains of different types', async () => {
    await using generation = newGeneration(100 * MAX_BYTES);
    const levels = 6;
    const text = `{ item { f0 ${'next { f0 '.repeat(levels - 1)}${'} '.repeat(levels)}}`;
    const chain = (seed: number): unknown =>
      chainOf(Array.from({ length: levels }, (_, level) => (seed * (2 * level + 1) + level * level) % TYPES));
    // All types occur at all levels.
    for (let seed = 0; seed < TYPES; seed += 1) await run(generation, text, { item: chain(seed) });
    const before = await retainedBytes();
    const other = (seed: number): unknown =>
      chainOf(Array.from({ length: levels }, (_, level) => Math.floor(seed * 7.31 ** (level + 1) + level) % TYPES));
    for (let seed = 0; seed < 1_000; seed += 1) await run(generation, text, { item: other(seed) });
    expect(await grownBytes(before, 500_000)).toBeLessThan(500_000);
  });

  it('print each value by its own type when one chain has values of different types', async () => {
    await using generation = newGeneration(MAX_BYTES);
    const text = '{ item { __typename f0 ... on T1 { f1 } next { __typename f0 ... on T1 { f1 } } } }';
    const both = [await run(generation, text, { item: chainOf([1, 2]) }), await run(generation, text, { item: chainOf([2, 1]) })];
    expect(both).toEqual([
      '{"item":{"__typename":"T1","f0":"1","f1":null,"next":{"__typename":"T2","f0":"2"}}}',
      '{"item":{"__typename":"T2","f0":"2","next":{"__typename":"T1","f0":"1","f1":null}}}',
    ]);
  });
});
