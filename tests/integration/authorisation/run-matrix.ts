import { isDeepStrictEqual } from 'node:util';
import type { Gateway } from '../../../gateway/index.ts';
import type { GuardedGraph } from '../../fixtures/authorisation/guarded-graph.ts';
import { type AnswerLike, type Expectation, normalise, type Oracle } from '../../fixtures/authorisation/oracle.ts';
import { type Caller, isAlwaysDenied, type Policy } from '../../fixtures/authorisation/policy.ts';
import type { AccessCase } from './access-paths.ts';

/** Executes the operation of a case for a caller. */
export type Ask = (operation: Pick<AccessCase, 'text' | 'variables'>, caller: Caller) => Promise<AnswerLike & { readonly text: string }>;

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
  readonly ask: Ask;
  readonly cases: readonly AccessCase[];
  readonly callers: readonly Caller[];
  /** Maximum number of mismatches, after which the run ends. @defaultValue 20 */
  readonly maxMismatches?: number;
}

/**
 * Runs every case on the gateway and on the oracle, for every caller. Cases run one after another, so that subgraph requests can be
 * assigned to a case. The callers of a case follow each other in rotating order, so that each finds what was prepared for another.
 */
export async function runMatrix({ graph, oracle, ask, cases, callers, maxMismatches = 20 }: Matrix): Promise<MatrixReport> {
  const mismatches: Mismatch[] = [];
  let count = 0;
  let withheld = 0;
  const asking = callers.map((caller) => ({ caller, isClosed: closedTo(caller, graph.policy) }));
  for (const [index, operation] of cases.entries()) {
    const { text, variables } = operation;
    const first = index % asking.length;
    for (const { caller, isClosed } of [...asking.slice(first), ...asking.slice(0, first)]) {
      const expected = await oracle(text, variables, caller);
      graph.takeAsked();
      const answer = await ask(operation, caller).catch((error: unknown) => ({ text: String(error) }));
      count += 1;
      if (expected.denials.length > 0) withheld += 1;
      const asked = [...graph.takeAsked().keys()].filter((coordinate) => isClosed(coordinate) && !isMadeBy(text, graph.policy[coordinate]));
      const problems = [...compare(answer, expected), ...asked.map((coordinate) => `a subgraph received a request for ${coordinate}`)];
      if (problems.length > 0) mismatches.push({ caller: caller.name, text, problems });
      if (mismatches.length >= maxMismatches) return { cases: count, withheld, mismatches };
    }
  }
  return { cases: count, withheld, mismatches };
}

/** Executes operations on a gateway directly, without a transport. */
export function askInProcess(gateway: Gateway): Ask {
  return async ({ text, variables }, { principal }) => {
    const result = await gateway.execute({
      principal,
      document: { text },
      variables,
      door: 'graphql',
      headers: {},
      correlationId: 'matrix',
      signal: NEVER,
    });
    return { ...(JSON.parse(result.body) as AnswerLike), text: result.body };
  };
}

const NEVER = new AbortController().signal;

/** Lists the differences between a response and the expectation. */
export function compare(answer: AnswerLike & { readonly text: string }, expected: Expectation): readonly string[] {
  const { data, denials } = normalise(answer);
  const problems: string[] = [];
  if (!answer.text.startsWith('{')) return [answer.text];
  if (!isDeepStrictEqual(data, expected.data)) problems.push(`data ${JSON.stringify(data)}, expected ${JSON.stringify(expected.data)}`);
  if (!isDeepStrictEqual(denials, expected.denials))
    problems.push(`denials [${denials.join(', ')}], expected [${expected.denials.join(', ')}]`);
  const paths = (answer.errors ?? []).map(({ path }) => JSON.stringify(path));
  if (new Set(paths).size < paths.length) problems.push(`one path has two errors: ${paths.join(' ')}`);
  return [...problems, ...leaksIn(answer.text, expected)];
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
