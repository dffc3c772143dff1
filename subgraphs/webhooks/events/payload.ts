/** Maximum size of a message (Standard Webhooks, "Payload size"). @unit bytes */
const MAX_BYTES = 20_000;

/** Facts about one event. */
export interface EventFacts {
  readonly event: string;
  readonly at: Date;
  /** Result of the document. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Body of a message, and whether it is too large to be sent. */
export interface Payload {
  readonly body: string;
  readonly isTooLarge: boolean;
}

/**
 * Makes the text that is signed and sent. When it would be too large, only the scalar fields of the event remain, including ids, and
 * `isThin` is set. The receiver then requests the rest.
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

/** Returns undefined for objects, which JSON omits. */
function toLeaf(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value;
}

function mapValues(object: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
