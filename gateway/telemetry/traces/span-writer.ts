import type { SpanKindName } from '../catalog/span-catalog.ts';

/** Value of an attribute. */
export type SpanValue = string | number | boolean | readonly string[];

/** Name, kind and attributes of a span. Spans of many requests have the same content; the rest of a span is its `SpanPosition`. */
export class SpanContent {
  readonly name: string;
  readonly kind: SpanKindName;
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly isError: boolean;
  /** Bytes that a writer sends for the content. Undefined until the writer has encoded it. */
  encoded: Uint8Array | undefined;

  constructor({ name, kind, attributes, isError }: Pick<SpanContent, 'name' | 'kind' | 'attributes' | 'isError'>) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    this.isError = isError;
    this.encoded = undefined;
  }
}

/**
 * Position of a span in its trace, and the facts that differ in each request. One object is used for all spans: a writer must not store it.
 * Ids of spans have 64 bits in two signed integers, which V8 represents without an object.
 */
export class SpanPosition {
  /** 32 hexadecimal digits. */
  traceId = '';
  idHigh = 0;
  idLow = 0;
  parent: 'none' | 'local' | 'remote' = 'none';
  /** Id of the parent. Meaningless without a parent. */
  parentHigh = 0;
  parentLow = 0;
  /** @unit milliseconds since the epoch */
  startedAt = 0;
  /** @unit milliseconds since the epoch */
  endedAt = 0;
  /** Value of the attribute `gatefold.request.id`. Undefined for spans without this attribute. */
  requestId: string | undefined = undefined;
}

/** Attribute with the id of the request. It is a member of `SpanPosition`, because each request has another value. */
export const REQUEST_ID = 'gatefold.request.id';

/** Receives the spans that are sent, and drops them when too many wait. */
export interface SpanWriter {
  write(content: SpanContent, position: SpanPosition): void;
}

/** Writer whose exporter is open. Closing it sends the spans that wait. */
export interface OpenedSpanWriter extends SpanWriter, AsyncDisposable {}

/** Adds an attribute if it has a value. */
export function setAttribute(attributes: Record<string, SpanValue>, name: string, value: SpanValue | undefined): void {
  if (value !== undefined) attributes[name] = value;
}
