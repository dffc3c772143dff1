import type { SpanKindName } from '../../catalog/span-catalog.ts';
import { REQUEST_ID, type SpanContent, type SpanValue } from '../span-writer.ts';
import { bytesField, doubleField, headOf, integerField, textField } from './protobuf.ts';

// The numbers are those of opentelemetry/proto/trace/v1/trace.proto and opentelemetry/proto/common/v1/common.proto.

const SPAN_NAME = 5;
const SPAN_KIND = 6;
const SPAN_ATTRIBUTES = 9;
const SPAN_STATUS = 15;
const KINDS: Readonly<Record<SpanKindName, number>> = { internal: 1, server: 2, client: 3 };

/** Status of a span that has failed: the field `code` with the value `STATUS_CODE_ERROR`. */
const ERROR = integerField(3, 2);

/** Encodes the fields of a span that depend on its content only. */
export function encodeContent({ name, kind, attributes, isError }: SpanContent): Uint8Array {
  return Buffer.concat([
    textField(SPAN_NAME, name),
    integerField(SPAN_KIND, KINDS[kind]),
    ...Object.entries(attributes).map(([key, value]) => attributeField(SPAN_ATTRIBUTES, key, value)),
    ...(isError ? [bytesField(SPAN_STATUS, ERROR)] : []),
  ]);
}

const KEY = 1;
const VALUE = 2;

/** Encodes an attribute: a message with a key and a value. */
function attributeField(field: number, key: string, value: SpanValue): Uint8Array {
  return bytesField(field, textField(KEY, key), bytesField(VALUE, encodeValue(value)));
}

const STRING_VALUE = 1;
const BOOL_VALUE = 2;
const INT_VALUE = 3;
const DOUBLE_VALUE = 4;
const ARRAY_VALUE = 5;
const ARRAY_VALUES = 1;

function encodeValue(value: SpanValue): Uint8Array {
  if (typeof value === 'string') return textField(STRING_VALUE, value);
  if (typeof value === 'boolean') return integerField(BOOL_VALUE, value ? 1 : 0);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? integerField(INT_VALUE, value) : doubleField(DOUBLE_VALUE, value);
  return bytesField(ARRAY_VALUE, ...value.map((item) => bytesField(ARRAY_VALUES, encodeValue(item))));
}

/** Encodes the attribute with the id of a request, which each request has with another value. */
export function encodeRequestId(requestId: string): Uint8Array {
  return attributeField(SPAN_ATTRIBUTES, REQUEST_ID, requestId);
}

/** Returns what precedes a request id that has this number of ASCII characters. */
export function headOfRequestId(length: number): Uint8Array {
  return encodeRequestId('x'.repeat(length)).slice(0, -length);
}

const REQUEST_RESOURCE_SPANS = 1;
const RESOURCE = 1;
const RESOURCE_ATTRIBUTES = 1;
const SCOPE_SPANS = 2;
const SCOPE = 1;
const SCOPE_NAME = 1;

/**
 * Creates the function that returns what precedes the spans of a request to the collector.
 *
 * @param serviceName attribute `service.name` of the resource
 */
export function createBatchHead(serviceName: string): (spanBytes: number) => Uint8Array {
  const resource = bytesField(RESOURCE, attributeField(RESOURCE_ATTRIBUTES, 'service.name', serviceName));
  const scope = bytesField(SCOPE, textField(SCOPE_NAME, 'gatefold'));
  return (spanBytes) => {
    const scopeLength = scope.length + spanBytes;
    const scopeHead = headOf(SCOPE_SPANS, scopeLength);
    return Buffer.concat([headOf(REQUEST_RESOURCE_SPANS, resource.length + scopeHead.length + scopeLength), resource, scopeHead, scope]);
  };
}
