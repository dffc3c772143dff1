/** Where a value stands in the result of a document: response keys, from the root. */
export type ResultPath = readonly string[];

/** A subscription whose events are sent to webhooks. */
export interface WebhookDocument {
  /** `order.created`. */
  readonly event: string;
  /** Version of REST since which there is this event. */
  readonly since: number;
  /** What the event means, in words for people; empty where nobody said it. */
  readonly description: string;
  /** The operation as the gateway is asked, without directives of ours. */
  readonly text: string;
  /** Events that differ in one of these are another's. */
  readonly only: readonly { readonly path: ResultPath; readonly value: string }[];
  /** What names the thing that the event is about, where endpoints may be told of one thing in order. */
  readonly entity: ResultPath | undefined;
}

/** The value at a path; undefined where there is none. */
function valueAt(data: unknown, path: ResultPath): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

function differs(data: unknown, { path, value }: WebhookDocument['only'][number]): boolean {
  return String(valueAt(data, path)) !== value;
}

/** Whether an event is one of this document. */
export function isOfDocument(data: unknown, { only }: WebhookDocument): boolean {
  return !only.some((one) => differs(data, one));
}

/**
 * Whether an event is certain to be another's, even where not all of it could be computed: what is missing may have been this document's, what
 * is there and differs is not.
 */
export function isOfAnother(data: unknown, { only }: WebhookDocument): boolean {
  return only.some((one) => (valueAt(data, one.path) ?? undefined) !== undefined && differs(data, one));
}

/** What the event is about; null where nothing says it. */
export function entityKeyOf(data: unknown, { entity }: WebhookDocument): string | null {
  const value = entity === undefined ? undefined : valueAt(data, entity);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
