import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent, SubgraphStreamRequest } from '../../supergraph/subgraph-streams.ts';

/** Hears what becomes of one attempt. Nothing is called after `onOver`. */
export interface AttemptListener {
  /** The subgraph has the request. */
  onOpen(): void;
  /** The stream has come so far, with or without an event: where it begins, and what passed by since. Told by some subgraphs. */
  onPosition(eventId: string): void;
  onEvent(event: SubgraphEvent): void;
  /** The subgraph itself says that events may have been missed. */
  onGap(): void;
  onOver(over: AttemptOver): void;
}

/** `lost`: the connection is, or was never made; the stream may be asked for again. */
export type AttemptOver =
  | { readonly kind: 'complete' }
  | { readonly kind: 'refused'; readonly errors: readonly SubgraphError[] }
  | { readonly kind: 'lost'; readonly error: Error };

export interface StreamAttempt {
  close(): void;
}

/** One way to ask a subgraph for a stream, once. */
export interface UpstreamTransport extends Disposable {
  attempt(request: SubgraphStreamRequest, listener: AttemptListener): StreamAttempt;
}

/** The request with what goes along with it, as JSON text. */
export function payloadOf({ body, context, lastEventId }: SubgraphStreamRequest): string {
  const extensions = JSON.stringify({ ...(lastEventId === undefined ? {} : { lastEventId }), correlationId: context.correlationId });
  return `${body.slice(0, -1)},"extensions":${extensions}}`;
}
