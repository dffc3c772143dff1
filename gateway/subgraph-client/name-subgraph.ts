import { GatewayError } from '../platform/errors.ts';
import { systemErrorCode } from '../platform/file-errors.ts';
import type { SubgraphStreamListener } from '../supergraph/subgraph-streams.ts';

/**
 * Adds the name of the subgraph and the reason to an error for clients, for development. The code and the headers are unchanged. Any other
 * error is returned as it is.
 */
export function nameSubgraph(error: unknown, subgraph: string): unknown {
  if (!(error instanceof GatewayError)) return error;
  const { code, message, cause, headers, status } = error;
  const reason = reasonOf(cause);
  const text = `Subgraph ${JSON.stringify(subgraph)}: ${message}${reason === '' ? '' : ` (${reason})`}`;
  return new GatewayError(code, text, { cause: error, headers, status });
}

/** Adds the name of the subgraph to the error with which a stream fails. */
export function withSubgraphNamed(listener: SubgraphStreamListener, subgraph: string): SubgraphStreamListener {
  return {
    onOpen: () => listener.onOpen(),
    onEvent: (event) => listener.onEvent(event),
    onGap: () => listener.onGap(),
    onPosition: (eventId) => listener.onPosition?.(eventId),
    onEnd(end) {
      const error = end.kind === 'failed' ? nameSubgraph(end.error, subgraph) : undefined;
      listener.onEnd(error instanceof Error ? { kind: 'failed', error } : end);
    },
  };
}

/** Returns the reason of a failure; empty if it is unknown. Connection errors of several addresses have only a code. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  return cause.message === '' ? (systemErrorCode(cause) ?? '') : cause.message;
}
