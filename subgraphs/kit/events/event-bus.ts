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

/** Where a subscription begins. */
export interface SubscriptionStart {
  /** Of the event before the first that it brings. Subscribing after it again brings the same ones, as long as they are kept. */
  readonly position: string;
  /** Whether events between the one that was asked for and this position are not kept any more. */
  readonly isGap: boolean;
}

export interface BusSubscription extends AsyncIterableIterator<BusEvent> {
  /** Known when it is certain that nothing from there on is missed. */
  readonly start: Promise<SubscriptionStart>;
}

export interface SubscribeOptions {
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
  /** The id of an event, or a position: what came after it comes first. @defaultValue from now on */
  readonly after?: string | undefined;
}

/** Carries events from the outbox to subscriptions. An event may arrive twice, never out of order. */
export interface EventBus {
  /** Resolves when the bus has taken the event. One that it has taken already, and lately, it takes as the same. */
  publish(event: BusEvent): Promise<void>;
  /** Rejects where no event would be taken at the moment. Absent where that cannot be. */
  check?(): Promise<void>;
  /**
   * The events of a topic. Iteration ends when the signal aborts or the bus closes; it throws a GraphQLError
   * `EVENTS_MAY_BE_MISSED` when the consumer falls so far behind that its queue overflows.
   */
  subscribe(topic: string, options?: SubscribeOptions): BusSubscription;
  close(): Promise<void>;
}
