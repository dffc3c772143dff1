import type { EventSource } from './executable-operation.ts';
import type { CompiledPlan } from './plan/compiled-plan.ts';
import { printVariables } from './run/run-fetch.ts';

/**
 * What opens the stream of a subscription; undefined where none is asked for, because its root field is skipped.
 *
 * @throws Error when events are to come from several places: a defect, since a subscription has one root field
 */
export function compileEventSource({ fetches }: CompiledPlan): EventSource | undefined {
  const [fetch, ...others] = fetches.filter(({ kind }) => kind === 'subscription');
  if (others.length > 0) throw new Error('A subscription has one source of events.');
  const text = fetch?.request.texts.whole;
  if (fetch === undefined || text === undefined) return undefined;
  return {
    subgraph: fetch.subgraph,
    bodyFor: (variables) => `${text.opening}${printVariables(text, '', { run: { variables } })}}}`,
  };
}
