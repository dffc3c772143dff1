import { type GraphQLSchema, parse, validate } from 'graphql';
import { generateOperation } from '../generate-operation.ts';
import { type Random, createRandom } from '../../support/random/random.ts';
import { buildRandomFederation } from './build-random-federation.ts';
import { generateJointSubgraphs } from './generate-joint-subgraphs.ts';
import { type CaseResult, type Graph, runRequest, toGraph } from './run-case.ts';
import { writeChain } from './write-chain.ts';

/** Planner options that are compared: the first joins paths wherever it is possible, the second only where they multiply. */
export const JOINT_PLANNINGS = [{ maxMultiplied: 0 }, {}] as const;

export interface JointCase {
  readonly graph: Graph;
  readonly result: CaseResult;
  /** Index of the operation among those of the graph. */
  readonly operation: number;
  /** Index in `JOINT_PLANNINGS`. */
  readonly planning: number;
}

export interface JointCasesOptions {
  /** Number of operations on the graph. */
  readonly operations: number;
  /** Maximum number of levels of a chain in addition to the two to four that it always has. */
  readonly moreLevels: number;
}

/** Runs random operations on the random graph of a seed, with each planner option. Yields nothing if the graph does not compose. */
export async function* runJointCases(seed: number, { operations, moreLevels }: JointCasesOptions): AsyncGenerator<JointCase> {
  const federation = buildRandomFederation(generateJointSubgraphs(seed), seed);
  if ('reasons' in federation) return;
  const random = createRandom(seed);
  for (let operation = 0; operation < operations; operation += 1) {
    const request = { ...createOperation(federation.monolith, random, moreLevels), labels: [] };
    for (const [planning, options] of JOINT_PLANNINGS.entries()) {
      const graph = toGraph(federation, options);
      yield { graph, operation, planning, result: await runRequest(graph, request) };
    }
  }
}

function createOperation(
  schema: GraphQLSchema,
  random: Random,
  moreLevels: number,
): { readonly text: string; readonly variables: Readonly<Record<string, unknown>> } {
  if (random.chance(0.3)) {
    const [maxFields, limit] = [random.pick([10, 25]), 1_000_000];
    return generateOperation({ schema, seed: random.below(limit), maxFields, maxDepth: 7, keys: ['id', 'x', 'label'] });
  }
  for (;;) {
    const text = writeChain(schema, random, random.below(moreLevels + 1));
    if (validate(schema, parse(text)).length === 0) return { text, variables: random.chance(0.5) ? {} : { yes: random.chance(0.5) } };
  }
}
