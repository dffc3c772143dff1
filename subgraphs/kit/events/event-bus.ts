/** Data that survives JSON. */
export type EventPayload = Readonly<Record<string, string | number | boolean | null>>;

/** Something that happened, as it is told to those who listen. */
export interface BusEvent {
  /** Increases within a topic. */
  readonly id: string;
  readonly topic: string;
  readonly payload: EventPayload;
  readonly at: Date;
}

/** Carries events from the outbox to subscriptions. An event may arrive twice, never out of order. */
export interface EventBus {
  /** Resolves when the bus has taken the event. */
  publish(event: BusEvent): Promise<void>;
  /**
   * The events of a topic from now on. Iteration ends when `signal` aborts or the bus closes; it throws a GraphQLError
   * `EVENTS_MAY_BE_MISSED` when the consumer falls so far behind that its queue overflows.
   */
  subscribe(topic: string, signal?: AbortSignal): AsyncIterableIterator<BusEvent>;
  close(): Promise<void>;
}
