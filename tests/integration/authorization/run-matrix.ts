import { isDeepStrictEqual } from 'node:util';
import type { Gateway } from '../../../gateway/index.ts';
import type { GuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { type ResponseLike, type Expectation, normalize, type Oracle } from '../../fixtures/authorization/oracle.ts';
import { type Caller, isAlwaysDenied, type Policy } from '../../fixtures/authorization/policy.ts';
import type { AccessCase } from './access-paths.ts';

/** Executes the operation of a case for a caller. */
export type QueryRequest = (
  operation: Pick<AccessCase, 'text' | 'variables'>,
  caller: Caller,
) => Promise<ResponseLike & { readonly text: string }>;

/** A difference between the gateway and the policy. */
export interface Mismatch {
  readonly caller: string;
  readonly text: string;
  readonly problems: readonly string[];
}

export interface MatrixReport {
  readonly cases: number;
  /** Cases in which something was withheld. */
  readonly withheld: number;
  readonly mismatches: readonly Mismatch[];
}

export interface Matrix {
  readonly graph: GuardedGraph;
  readonly oracle: Oracle;
  readonly request: QueryRequest;
  readonly cases: readonly AccessCase[];
  readonly callers: readonly Caller[];
  /** Maximum number of mismatches, after which the run ends. @defaultValue 20 */
  readonly maxMismatches?: number;
}

/**
 * Runs every case on the gateway and on the oracle, for every caller. Cases run one after another, so that subgraph requests can be
 * assigned to a case. The callers of a case follow each other in rotating order, so that each finds what was prepared for another.
 */
export async function runMatrix({ graph, oracle, request, cases, callers, maxMismatches = 20 }: Matrix): Promise<MatrixReport> {
  const mismatches: Mismatch[] = [];
  let count = 0;
  let withheld = 0;
  const requesting = callers.map((caller) => ({ caller, isClosed: closedTo(caller, graph.policy) }));
  for (const [index, operation] of cases.entries()) {
    const { text, variables } = operation;
    const first = index % requesting.length;
    for (const { caller, isClosed } of [...requesting.slice(first), ...requesting.slice(0, first)]) {
      const expected = await oracle(text, variables, caller);
      graph.takeRequested();
      const response = await request(operation, caller).catch((error: unknown) => ({ text: String(error) }));
      count += 1;
      if (expected.denials.length > 0) withheld += 1;
      const requested = [...graph.takeRequested().keys()].filter(
        (coordinate) => isClosed(coordinate) && !isMadeBy(text, graph.policy[coordinate]),
      );
      const problems = [
        ...compare(response, expected),
        ...requested.map((coordinate) => `a subgraph received a request for ${coordinate}`),
      ];
      if (problems.length > 0) mismatches.push({ caller: caller.name, text, problems });
      if (mismatches.length >= maxMismatches) return { cases: count, withheld, mismatches };
    }
  }
  return { cases: count, withheld, mismatches };
}

/** Executes operations on a gateway directly, without a transport. */
export function queryInProcess(gateway: Gateway): QueryRequest {
  return async ({ text, variables }, { principal }) => {
    const result = await gateway.execute({
      principal,
      document: { text },
      variables,
      transport: 'graphql',
      headers: {},
      correlationId: 'matrix',
      signal: NEVER,
    });
    return { ...(JSON.parse(result.body) as ResponseLike), text: result.body };
  };
}

const NEVER = new AbortController().signal;

/** Lists the differences between a response and the expectation. */
export function compare(response: ResponseLike & { readonly text: string }, expected: Expectation): readonly string[] {
  const { data, denials } = normalize(response);
  const problems: string[] = [];
  if (!response.text.startsWith('{')) return [response.text];
  if (!isDeepStrictEqual(data, expected.data)) problems.push(`data ${JSON.stringify(data)}, expected ${JSON.stringify(expected.data)}`);
  if (!isDeepStrictEqual(denials, expected.denials))
    problems.push(`denials [${denials.join(', ')}], expected [${expected.denials.join(', ')}]`);
  const paths = (response.errors ?? []).map(({ path }) => JSON.stringify(path));
  if (new Set(paths).size < paths.length) problems.push(`one path has two errors: ${paths.join(' ')}`);
  return [...problems, ...leaksIn(response.text, expected)];
}

const CANARY = /canary-[\w-]+|\b8[1-9]\d{5}\b/g;

/** Lists guarded values that occur anywhere in a response although its data may not show them. */
export function leaksIn(text: string, { data }: Pick<Expectation, 'data'>): readonly string[] {
  const shown = JSON.stringify(data);
  return [...new Set(text.match(CANARY))].filter((canary) => !shown.includes(canary)).map((canary) => `${canary} leaks`);
}

/** Whether an operation has a mutation that may return the guarded field to its creator. Payload types have the name of their mutation. */
function isMadeBy(text: string, requirements: Policy[string] = []): boolean {
  return requirements.some((requirement) => {
    if (requirement.kind !== 'role' || requirement.orCreator === undefined) return false;
    const mutation = requirement.orCreator.replace(/Payload$/, '');
    return new RegExp(`\\b${mutation.charAt(0).toLowerCase()}${mutation.slice(1)}\\b`).test(text);
  });
}

/**
 * Returns the coordinates that subgraphs never receive a request for from this caller: rules that do not depend on the object are decided
 * before execution.
 */
function closedTo(caller: Caller, policy: Policy): (coordinate: string) => boolean {
  const closed = new Set(Object.keys(policy).filter((coordinate) => isAlwaysDenied(policy, coordinate, caller)));
  return (coordinate) => closed.has(coordinate) || closed.has(coordinate.split('.')[0] ?? '');
}
