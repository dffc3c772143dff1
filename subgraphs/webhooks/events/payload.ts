/** Longer messages are not sent (Standard Webhooks, "Payload size"). @unit bytes */
const MAX_BYTES = 20_000;

/** What is told of one event. */
export interface EventFacts {
  readonly event: string;
  readonly at: Date;
  /** The result of the document. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** The body of a message, or why there is none that could be sent. */
export interface Payload {
  readonly body: string;
  readonly isTooLarge: boolean;
}

/**
 * The text that is signed and sent. Where it would be too long, what stands directly on the event is left, ids among it, and `isThin` says so:
 * the receiver asks for the rest.
 */
export function toPayload({ event, at, data }: EventFacts): Payload {
  const head = { type: event, timestamp: at.toISOString() };
  const whole = JSON.stringify({ ...head, data });
  if (Buffer.byteLength(whole) < MAX_BYTES) return { body: whole, isTooLarge: false };
  const thin = JSON.stringify({
    ...head,
    isThin: true,
    data: mapValues(data ?? {}, (value) => (isObject(value) ? mapValues(value, toLeaf) : null)),
  });
  if (Buffer.byteLength(thin) < MAX_BYTES) return { body: thin, isTooLarge: false };
  return { body: JSON.stringify({ ...head, isThin: true, data: null }), isTooLarge: true };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined is left out of JSON. */
function toLeaf(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value;
}

function mapValues(object: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
