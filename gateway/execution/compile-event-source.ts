import type { EventSource } from './executable-operation.ts';
import type { CompiledPlan } from './plan/compiled-plan.ts';
import { printVariables } from './run/run-fetch.ts';

/**
 * Compiles the request that opens the stream of a subscription; undefined when the root field is skipped.
 *
 * @throws Error when the plan has several event sources. This is a defect, because a subscription has one root field.
 */
export function compileEventSource({ fetches }: CompiledPlan): EventSource | undefined {
  const [fetch, ...others] = fetches.filter(({ kind }) => kind === 'subscription');
  if (others.length > 0) throw new Error('Invalid plan: a subscription must have exactly one event source.');
  const text = fetch?.request.texts.whole;
  if (fetch === undefined || text === undefined) return undefined;
  return {
    subgraph: fetch.subgraph,
    bodyFor: (variables) => `${text.prefix}${printVariables(text, '', { run: { variables } })}}}`,
  };
}
