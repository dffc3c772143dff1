import type { Schema } from '@apollo/federation-internals';
import type { PlanNode, QueryPlan } from '@apollo/query-planner';
import { compileFetch } from './compile-fetch.ts';
import { compileFlattenPath } from './flatten-path.ts';
import { runFetch } from './run-fetch.ts';
import type { RunState } from './run-state.ts';

/** Runs one part of a plan. */
export type PlanStep = (state: RunState) => Promise<void>;

/**
 * Compiles a query plan into steps.
 *
 * @throws Error for plans of subscriptions and of `@defer`, which are not executed as one answer
 */
export function compilePlan(schema: Schema, plan: QueryPlan): PlanStep {
  if (plan.node === undefined) return nothing;
  if (plan.node.kind === 'Subscription') throw new Error('A plan of a subscription is not executed as one answer.');
  let fetches = 0;
  const compile = (node: PlanNode, path: readonly (string | number)[]): PlanStep => {
    switch (node.kind) {
      case 'Fetch': {
        const fetch = compileFetch(schema, node, compileFlattenPath(path), fetches);
        fetches += 1;
        return (state) => runFetch(fetch, state);
      }
      case 'Flatten':
        return compile(node.node, [...path, ...node.path]);
      case 'Sequence':
        return sequence(node.nodes.map((child) => compile(child, path)));
      case 'Parallel':
        return parallel(node.nodes.map((child) => compile(child, path)));
      case 'Condition':
        return choice(
          node.condition,
          node.ifClause === undefined ? nothing : compile(node.ifClause, path),
          node.elseClause === undefined ? nothing : compile(node.elseClause, path),
        );
      case 'Defer':
        break;
    }
    throw new Error('A plan with deferred parts is not executed as one answer.');
  };
  return compile(plan.node, []);
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
