/** Data that can be serialized as JSON. */
export type EventPayload = Readonly<Record<string, string | number | boolean | null>>;

/** An event for subscribers. */
export interface BusEvent {
  /** Increases within a topic. */
  readonly id: string;
  readonly topic: string;
  readonly payload: EventPayload;
  readonly at: Date;
}

/** Start of a subscription. */
export interface SubscriptionStart {
  /** Position of the event before the first one. A subscription after it gets the same events again, while they are stored. */
  readonly position: string;
  /** Whether events between the requested event and this position are no longer stored. */
  readonly isGap: boolean;
}

export interface BusSubscription extends AsyncIterableIterator<BusEvent> {
  /** Resolves when no event after the start can be missed. */
  readonly start: Promise<SubscriptionStart>;
}

export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
  /** Id of an event or a position, after which the subscription starts. @defaultValue now */
  readonly after?: string | undefined;
}

/** Transports events from the outbox to subscriptions. An event may arrive twice, but never out of order. */
export interface EventBus {
  /** Publishes an event. Resolves when the bus has accepted it. An event that was published recently is recognized and not added again. */
  publish(event: BusEvent): Promise<void>;
  /** Rejects when the bus cannot accept events at the moment. Absent when that cannot happen. */
  check?(): Promise<void>;
  /**
   * Subscribes to the events of a topic. Iteration ends when the signal aborts or the bus closes. It throws a GraphQLError
   * `EVENTS_MAY_BE_MISSED` when the queue of the consumer overflows.
   */
  subscribe(topic: string, options?: SubscribeOptions): BusSubscription;
  close(): Promise<void>;
}
