import { isDeepStrictEqual } from 'node:util';
import type { Gateway } from '../../../gateway/index.ts';
import type { GuardedGraph } from '../../fixtures/authorisation/guarded-graph.ts';
import { type AnswerLike, type Expectation, normalise, type Oracle } from '../../fixtures/authorisation/oracle.ts';
import { type Caller, isAlwaysDenied, type Policy } from '../../fixtures/authorisation/policy.ts';
import type { AccessCase } from './access-paths.ts';

/** How a case reaches the gateway. */
export type Ask = (operation: Pick<AccessCase, 'text' | 'variables'>, caller: Caller) => Promise<AnswerLike & { readonly text: string }>;

/** Where the gateway and the policy disagree. */
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
  /** Ends after so many mismatches. @defaultValue 20 */
  readonly maxMismatches?: number;
}

/**
 * Puts every case to the gateway and to the oracle, for every caller. One after another: what subgraphs are asked is told apart by time.
 * The callers of a case follow each other, by turns begun by each, so that one finds what was prepared for the other.
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
      const problems = [...compare(answer, expected), ...asked.map((coordinate) => `a subgraph was asked for ${coordinate}`)];
      if (problems.length > 0) mismatches.push({ caller: caller.name, text, problems });
      if (mismatches.length >= maxMismatches) return { cases: count, withheld, mismatches };
    }
  }
  return { cases: count, withheld, mismatches };
}

/** A gateway asked directly. */
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

/** What is wrong with an answer. */
export function compare(answer: AnswerLike & { readonly text: string }, expected: Expectation): readonly string[] {
  const { data, denials } = normalise(answer);
  const problems: string[] = [];
  if (!answer.text.startsWith('{')) return [answer.text];
  if (!isDeepStrictEqual(data, expected.data)) problems.push(`data ${JSON.stringify(data)}, expected ${JSON.stringify(expected.data)}`);
  if (!isDeepStrictEqual(denials, expected.denials))
    problems.push(`denials [${denials.join(', ')}], expected [${expected.denials.join(', ')}]`);
  const paths = (answer.errors ?? []).map(({ path }) => JSON.stringify(path));
  if (new Set(paths).size < paths.length) problems.push(`one place is told twice: ${paths.join(' ')}`);
  return [...problems, ...leaksIn(answer.text, expected)];
}

const CANARY = /canary-[\w-]+|\b8[1-9]\d{5}\b/g;

/** What stands anywhere in an answer although its data may not show it. */
export function leaksIn(text: string, { data }: Pick<Expectation, 'data'>): readonly string[] {
  const shown = JSON.stringify(data);
  return [...new Set(text.match(CANARY))].filter((canary) => !shown.includes(canary)).map((canary) => `${canary} leaks`);
}

/** Whether an operation has a mutation that may return the guarded field to its caller: its payload is named after it. */
function isMadeBy(text: string, requirements: Policy[string] = []): boolean {
  return requirements.some((requirement) => {
    if (requirement.kind !== 'role' || requirement.orCreator === undefined) return false;
    const mutation = requirement.orCreator.replace(/Payload$/, '');
    return new RegExp(`\\b${mutation.charAt(0).toLowerCase()}${mutation.slice(1)}\\b`).test(text);
  });
}

/** Coordinates that a subgraph is never asked for on behalf of the caller: what does not depend on the object is decided before. */
function closedTo(caller: Caller, policy: Policy): (coordinate: string) => boolean {
  const closed = new Set(Object.keys(policy).filter((coordinate) => isAlwaysDenied(policy, coordinate, caller)));
  return (coordinate) => closed.has(coordinate) || closed.has(coordinate.split('.')[0] ?? '');
}
