import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent, SubgraphStreamRequest } from '../../supergraph/subgraph-streams.ts';

/** Receives the events of one attempt. No method is called after `onOver`. */
export interface AttemptListener {
  /** Called when the subgraph has received the request. */
  onOpen(): void;
  /**
   * Called when the subgraph reports the position of the stream, with or without an event: its start, and later the events that were passed
   * over. Only some subgraphs report it.
   */
  onPosition(eventId: string): void;
  onEvent(event: SubgraphEvent): void;
  /** Called when the subgraph reports that events may have been missed. */
  onGap(): void;
  onOver(over: AttemptOver): void;
}

/** End of an attempt. `lost` means that the connection failed or was never established. The stream can be requested again. */
export type AttemptOver =
  | { readonly kind: 'complete' }
  | { readonly kind: 'rejected'; readonly errors: readonly SubgraphError[] }
  | { readonly kind: 'lost'; readonly error: Error };

export interface StreamAttempt {
  close(): void;
}

/** A transport that opens a stream of a subgraph once per attempt. */
export interface UpstreamTransport extends Disposable {
  attempt(request: SubgraphStreamRequest, listener: AttemptListener): StreamAttempt;
}

/** Returns the request with its extensions as JSON text. */
export function payloadOf({ body, context, lastEventId }: SubgraphStreamRequest): string {
  const extensions = JSON.stringify({ ...(lastEventId === undefined ? {} : { lastEventId }), correlationId: context.correlationId });
  return `${body.slice(0, -1)},"extensions":${extensions}}`;
}
