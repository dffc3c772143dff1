import type { SubgraphContext, SubgraphError, SubgraphResponse } from './subgraph-executor.ts';

/** A stream of events that a subgraph is asked for. */
export interface SubgraphStreamRequest {
  /** Name of the subgraph as the supergraph spells it. */
  readonly subgraph: string;
  /** Where the supergraph says that it answers; may be empty when the address is only known to the configuration. */
  readonly url: string;
  /** The subscription as JSON text: `{"query":…,"variables":…}`. */
  readonly body: string;
  readonly context: SubgraphContext;
  /** The event after which it begins. @defaultValue from now on */
  readonly lastEventId?: string | undefined;
}

/** One event, as the answer to the request that opened the stream. */
export interface SubgraphEvent {
  /** By which the stream goes on after it. Absent where the subgraph gives none. */
  readonly eventId?: string;
  readonly response: SubgraphResponse;
}

/** Hears what becomes of a stream. Nothing is called after `onEnd`, or after the stream was closed. */
export interface SubgraphStreamListener {
  /** The subgraph has been asked, and has not refused. Called once, before everything but `onEnd`. */
  onOpen(): void;
  onEvent(event: SubgraphEvent): void;
  /** Events may have been missed before the next one. */
  onGap(): void;
  /** The subgraph says how far the stream has come without an event. */
  onPosition?(eventId: string): void;
  /** There will be no more events. */
  onEnd(end: SubgraphStreamEnd): void;
}

/**
 * Why a stream has ended: the subgraph said that it is over, it refused with errors, or it cannot be reached any more
 * (`SUBGRAPH_UNAVAILABLE`, `SUBGRAPH_TIMEOUT`, `SUBGRAPH_INVALID_RESPONSE`).
 */
export type SubgraphStreamEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'refused'; readonly errors: readonly SubgraphError[] }
  | { readonly kind: 'failed'; readonly error: Error };

/** A stream that was opened. */
export interface SubgraphStream {
  /** Of the last event that came, or what the subgraph said of where it begins; undefined where it gives no ids. */
  readonly lastEventId: string | undefined;
  /** Nobody listens any more. */
  close(): void;
}

/** Opens streams of subgraphs. What breaks is opened again, after the last event; the listener is told where that may have lost some. */
export interface SubgraphStreams extends AsyncDisposable {
  /** Where a stream of this subgraph comes from; the same text for the same place. @throws Error when it has no address */
  addressOf(subgraph: string, url: string): string;
  open(request: SubgraphStreamRequest, listener: SubgraphStreamListener): SubgraphStream;
}
