import type { SubgraphContext, SubgraphError, SubgraphResponse } from './subgraph-executor.ts';

/** A request for a stream of events from a subgraph. */
export interface SubgraphStreamRequest {
  /** Name of the subgraph, as in the supergraph. */
  readonly subgraph: string;
  /** URL of the subgraph in the supergraph; may be empty if only the configuration defines the address. */
  readonly url: string;
  /** Subscription as JSON text: `{"query":…,"variables":…}`. */
  readonly body: string;
  readonly context: SubgraphContext;
  /** Event after which the stream begins. @defaultValue only new events */
  readonly lastEventId?: string | undefined;
}

/** An event: a response to the request that opened the stream. */
export interface SubgraphEvent {
  /** Id to resume the stream after this event. Absent if the subgraph provides none. */
  readonly eventId?: string;
  readonly response: SubgraphResponse;
}

/** Receives the events of a stream. Nothing is called after `onEnd`, or after the stream was closed. */
export interface SubgraphStreamListener {
  /** Called once when the subgraph has accepted the request, before all other functions except `onEnd`. */
  onOpen(): void;
  onEvent(event: SubgraphEvent): void;
  /** Called when events before the next one may have been missed. */
  onGap(): void;
  /** Called when the subgraph reports the position of the stream without an event. */
  onPosition?(eventId: string): void;
  /** Called when there are no more events. */
  onEnd(end: SubgraphStreamEnd): void;
}

/**
 * Reason for the end of a stream: the subgraph completed it, rejected it with errors, or became unreachable (`SUBGRAPH_UNAVAILABLE`,
 * `SUBGRAPH_TIMEOUT`, `SUBGRAPH_INVALID_RESPONSE`).
 */
export type SubgraphStreamEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'rejected'; readonly errors: readonly SubgraphError[] }
  | { readonly kind: 'failed'; readonly error: Error };

/** An open stream. */
export interface SubgraphStream {
  /** Id of the last received event, or the starting position that the subgraph reported. Undefined if the subgraph provides no ids. */
  readonly lastEventId: string | undefined;
  /** Closes the stream. */
  close(): void;
}

/** Opens streams of subgraphs. Reopens interrupted streams after the last event, and notifies the listener if events may have been lost. */
export interface SubgraphStreams extends AsyncDisposable {
  /** Returns the address of a stream. Equal addresses have equal texts. @throws Error when the subgraph has no address */
  addressOf(subgraph: string, url: string): string;
  open(request: SubgraphStreamRequest, listener: SubgraphStreamListener): SubgraphStream;
}
