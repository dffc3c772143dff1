/** Path of a value in the result of a document: response keys, starting at the root. */
export type ResultPath = readonly string[];

/** A subscription whose events are sent to webhooks. */
export interface WebhookDocument {
  /** Name of the event, such as `order.created`. */
  readonly event: string;
  /** First version of the REST API with this event. */
  readonly since: number;
  /** Description of the event; empty when the document has none. */
  readonly description: string;
  /** Operation for the gateway, without webhook directives. */
  readonly text: string;
  /** Required values. An event with a different value belongs to another document. */
  readonly only: readonly { readonly path: ResultPath; readonly value: string }[];
  /** Path of the entity key, for endpoints that receive the events of an entity in order. */
  readonly entity: ResultPath | undefined;
}

/** Returns the value at a path; undefined when it is missing. */
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

/** Whether an event belongs to this document. */
export function isOfDocument(data: unknown, { only }: WebhookDocument): boolean {
  return !only.some((one) => differs(data, one));
}

/**
 * Whether an event certainly belongs to another document, even when its data is incomplete. A missing value could match, but a present
 * value that differs does not.
 */
export function isOfAnother(data: unknown, { only }: WebhookDocument): boolean {
  return only.some((one) => (valueAt(data, one.path) ?? undefined) !== undefined && differs(data, one));
}

/** Returns the key of the entity of an event; null when the document has none. */
export function entityKeyOf(data: unknown, { entity }: WebhookDocument): string | null {
  const value = entity === undefined ? undefined : valueAt(data, entity);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
