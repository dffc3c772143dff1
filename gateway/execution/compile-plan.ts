import type { Schema } from '@apollo/federation-internals';
import type { PlanNode, QueryPlan } from '@apollo/query-planner';
import { GatewayError } from '../platform/errors.ts';
import { type FetchSource, compileFetch, relateFetches } from './compile-fetch.ts';
import { readFetchSelection } from './fetch-selection.ts';
import { compileFlattenPath } from './flatten-path.ts';
import { runFetch } from './run-fetch.ts';
import type { RunState } from './run-state.ts';

/** Runs one part of a plan. */
export type PlanStep = (state: RunState) => Promise<void>;

/**
 * Compiles a query plan into steps.
 *
 * @param clientVariables names of the variables that the client's operation declares
 * @throws GatewayError `BAD_USER_INPUT` when one of them is the name of a variable that the plan fills from the context
 * @throws Error for plans of subscriptions and of `@defer`, which are not executed as one answer
 */
export function compilePlan(schema: Schema, plan: QueryPlan, clientVariables: ReadonlySet<string>): PlanStep {
  if (plan.node === undefined) return nothing;
  if (plan.node.kind === 'Subscription') throw new Error('A plan of a subscription is not executed as one answer.');
  const fetches = collectFetches(plan.node, []);
  refuseTakenNames(fetches, clientVariables);
  const relations = relateFetches(fetches);
  let next = 0;
  const compile = (node: PlanNode): PlanStep => {
    switch (node.kind) {
      case 'Fetch': {
        const source = fetches[next];
        next += 1;
        if (source?.node !== node) throw new Error('The fetches of a plan were not met in order.');
        const fetch = compileFetch(schema, source, relations);
        return (state) => runFetch(fetch, state);
      }
      case 'Flatten':
        return compile(node.node);
      case 'Sequence':
        return sequence(node.nodes.map(compile));
      case 'Parallel':
        return parallel(node.nodes.map(compile));
      case 'Condition': {
        const [ifTrue, ifFalse] = [node.ifClause, node.elseClause].map((clause) => (clause === undefined ? nothing : compile(clause)));
        return choice(node.condition, ifTrue ?? nothing, ifFalse ?? nothing);
      }
      case 'Defer':
        break;
    }
    throw new Error('A plan with deferred parts is not executed as one answer.');
  };
  return compile(plan.node);
}

/** All fetches in the order of the plan, each with its path from the root of the response. */
function collectFetches(root: PlanNode, rootPath: readonly (string | number)[]): readonly FetchSource[] {
  const fetches: FetchSource[] = [];
  const collect = (node: PlanNode, path: readonly (string | number)[], isConditional: boolean): void => {
    switch (node.kind) {
      case 'Fetch':
        fetches.push({ node, index: fetches.length, path: compileFlattenPath(path), selection: readFetchSelection(node, isConditional) });
        break;
      case 'Flatten':
        collect(node.node, [...path, ...node.path], isConditional);
        break;
      case 'Sequence':
      case 'Parallel':
        for (const child of node.nodes) collect(child, path, isConditional);
        break;
      case 'Condition':
        for (const clause of [node.ifClause, node.elseClause]) if (clause !== undefined) collect(clause, path, true);
        break;
      case 'Defer':
        break;
    }
  };
  collect(root, rootPath, false);
  return fetches;
}

/** The planner declares its variables beside the client's; of one name, both would be one. */
function refuseTakenNames(fetches: readonly FetchSource[], clientVariables: ReadonlySet<string>): void {
  for (const { renameKeyTo: name } of fetches.flatMap(({ node }) => node.contextRewrites ?? [])) {
    if (clientVariables.has(name)) throw new GatewayError('BAD_USER_INPUT', `The name of variable "$${name}" is taken: choose another.`);
  }
}

async function nothing(): Promise<void> {}

function sequence(steps: readonly PlanStep[]): PlanStep {
  return async (state) => {
    for (const step of steps) await step(state);
  };
}

function parallel(steps: readonly PlanStep[]): PlanStep {
  return async (state) => {
    await Promise.all(steps.map((step) => step(state)));
  };
}

function choice(variable: string, ifTrue: PlanStep, ifFalse: PlanStep): PlanStep {
  return (state) => (state.run.variables[variable] === true ? ifTrue(state) : ifFalse(state));
}
