/**
 * Measures the pipeline without planning and execution, which is the remaining cost of a request.
 *
 * Duration: about 15 seconds
 */
import { readFileSync } from 'node:fs';
import { createGeneration } from '../gateway/generation/create-generation.ts';
import { createGenerations } from '../gateway/generation/generations.ts';
import type { OperationRequest } from '../gateway/pipeline/operation-request.ts';
import { pipelineOver } from '../tests/support/gateway/new-pipeline.ts';
import { gatewayConfig } from '../gateway/config/sections.ts';
import type { OperationPlan } from '../gateway/planning/operation-plan.ts';
import { silentLogger } from '../gateway/platform/logger.ts';
import { ANONYMOUS } from '../gateway/platform/principal.ts';
import { loadSupergraph } from '../gateway/supergraph/load-supergraph.ts';

const ROUNDS = 100_000;
const PLAN: OperationPlan = { kind: 'query', fetches: [], keys: { withArguments: {}, beneathAbstract: {} } };
const NEVER = new Promise<never>(() => {});
const RESULT = Promise.resolve({ data: '{"a":1}', errors: [] });

const config = gatewayConfig.parse({});
const loaded = loadSupergraph(readFileSync('schema/supergraph.graphql', 'utf8'));
const disposable = { [Symbol.asyncDispose]: async () => {} };
const generations = createGenerations({ logger: silentLogger });
await generations.load(() =>
  createGeneration({
    loaded,
    planner: { plan: async () => PLAN, ...disposable },
    executor: Object.assign(async () => ({ data: {} }), disposable),
    compile: () => ({ execute: (run) => (run.signal.aborted ? NEVER : RESULT) }),
    settings: { ...config.graphql, isSchemaShown: true, limits: config.limits },
    logger: silentLogger,
  }),
);
const { pipeline } = pipelineOver(generations, { operationTimeoutMs: 10_000 });

const medium = (alias: string) =>
  `query Medium($id: ID!) { ${alias}: user(id: $id) { id name posts { id title tags author { id name } comments(first: 2) { nodes { id body } } } orders { nodes { id status } } } }`;

const LOADS: Readonly<Record<string, (round: number) => { readonly text: string; readonly variables?: Record<string, unknown> }>> = {
  'known text': () => ({ text: '{ __typename }' }),
  'known text, a literal': () => ({ text: '{ user(id: 1) { id name } }' }),
  'known text, a variable': () => ({ text: 'query ($id: ID!) { user(id: $id) { id name } }', variables: { id: '7' } }),
  'known text, a condition': () => ({ text: 'query ($a: Boolean!) { __typename @skip(if: $a) }', variables: { a: false } }),
  'fresh alias': (round) => ({ text: medium(`a${round}`), variables: { id: '7' } }),
};

/** The transport creates these objects for each request, which is not part of this measurement. */
const client = new AbortController();
const { signal } = client;

function requestOf(text: string, variables: Record<string, unknown> = {}): OperationRequest {
  return { document: { text }, principal: ANONYMOUS, transport: 'graphql', headers: {}, correlationId: 'bench', signal, variables };
}

const rows: Record<string, string | number>[] = [];
for (const [name, make] of Object.entries(LOADS)) {
  const rounds = name === 'fresh alias' ? ROUNDS / 5 : ROUNDS;
  const texts = Array.from({ length: rounds }, (_, round) => make(round));
  try {
    await pipeline.execute(requestOf(make(0).text, make(0).variables));
  } catch (error) {
    rows.push({ load: name, 'CPU µs per request': String(error) });
    continue;
  }
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 3; repeat += 1) {
    const requests = texts.map(({ text, variables }) =>
      requestOf(repeat === 0 || name !== 'fresh alias' ? text : text.replace('Medium', `M${repeat}`), variables),
    );
    const before = process.cpuUsage();
    for (const request of requests) await pipeline.execute(request);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / rounds);
  }
  rows.push({ load: name, 'CPU µs per request': Math.round(best * 100) / 100 });
}
console.table(rows);
