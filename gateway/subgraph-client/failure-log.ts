import type { Logger } from '../platform/logger.ts';
import type { SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { factsOf } from './request-facts.ts';

/** Logs a failed request, unless the same was logged for the same operation and subgraph. */
export type FailureLog = (request: SubgraphRequest, facts: Readonly<Record<string, unknown>>, message: string) => void;

/**
 * Creates a log with one line for each operation, subgraph and message: an operation may send many requests to a subgraph
 * that fails, and a line with a stack for each of them costs more than the requests.
 */
export function createFailureLog(logger: Logger): FailureLog {
  const logged = new WeakMap<SubgraphContext, Set<string>>();
  return (request, facts, message) => {
    const { context, subgraph } = request;
    let known = logged.get(context);
    if (known === undefined) logged.set(context, (known = new Set()));
    const identity = `${subgraph} ${message}`;
    if (known.has(identity)) return;
    known.add(identity);
    logger.warn({ ...factsOf(request), ...facts }, message);
  };
}
