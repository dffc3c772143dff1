import { readHexInteger } from '../../records/random-ids.ts';
import type { SpanContent, SpanPosition } from '../span-writer.ts';
import { createBatchHead, encodeContent, encodeRequestId, headOfRequestId } from './encode-span.ts';

/** Spans of one request to the collector. */
export interface SpanBatch {
  readonly body: Buffer<ArrayBuffer>;
  readonly spans: number;
  /** Memory that contains the body. */
  readonly memory: Buffer<ArrayBuffer>;
}

/**
 * Spans that wait for the next request to the collector, in the binary encoding of OTLP. A span is copied from the bytes of its content,
 * which are encoded once, and its position, whose fields have a fixed length. So a span needs neither an object nor a text.
 */
export class SpanBuffer {
  /** Number of spans. */
  count = 0;
  private bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  private view = viewOf(this.bytes);
  private used: number;
  /** Position of the first span. The head of the batch precedes it. */
  private readonly begin: number;
  /** Memory of batches that were sent. New memory costs more than the encoding, because the kernel clears each page. */
  private readonly unused: Buffer<ArrayBuffer>[] = [];
  /** Trace of the last span, and its id in four integers. */
  private lastTrace = '';
  private readonly traceId = new Int32Array(4);
  private readonly headOf: (spanBytes: number) => Uint8Array;

  constructor(serviceName: string) {
    this.headOf = createBatchHead(serviceName);
    this.begin = this.headOf(MAX_SPAN_BYTES).length;
    this.used = this.begin;
  }

  add(content: SpanContent, position: SpanPosition): void {
    const encoded = (content.encoded ??= encodeContent(content));
    const { requestId } = position;
    const head = requestId === undefined ? undefined : headOfId(requestId);
    const idAttribute = requestId === undefined || head !== undefined ? undefined : encodeRequestId(requestId);
    const idLength = head === undefined ? (idAttribute?.length ?? 0) : head.length + (requestId?.length ?? 0);
    const length = (position.parent === 'none' ? POSITION_BYTES : POSITION_WITH_PARENT_BYTES) + encoded.length + idLength;
    this.reserve(length + HEAD_BYTES);
    this.writeHead(length);
    this.writePosition(position);
    this.append(encoded);
    if (idAttribute !== undefined) this.append(idAttribute);
    else if (head !== undefined && requestId !== undefined) {
      this.append(head);
      this.used += this.bytes.write(requestId, this.used, 'latin1');
    }
    this.count += 1;
  }

  /** Removes all spans and returns them as the body of a request. */
  take(): SpanBatch {
    const { bytes: memory, begin, used, count: spans } = this;
    const head = this.headOf(used - begin);
    memory.set(head, begin - head.length);
    this.bytes = this.unused.pop() ?? Buffer.allocUnsafeSlow(INITIAL_BYTES);
    this.view = viewOf(this.bytes);
    this.used = begin;
    this.count = 0;
    return { body: memory.subarray(begin - head.length, used), spans, memory };
  }

  /** Uses the memory of a batch again, whose body nothing reads any more. */
  release({ memory }: SpanBatch): void {
    if (this.unused.length < MAX_UNUSED) this.unused.push(memory);
  }

  private reserve(length: number): void {
    if (this.used + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow((this.used + length) * 2);
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  private append(part: Uint8Array): void {
    this.bytes.set(part, this.used);
    this.used += part.length;
  }

  /** Writes the tag and the length of a span. */
  private writeHead(length: number): void {
    const { bytes } = this;
    let at = this.used;
    bytes[at++] = SPANS_TAG;
    let rest = length;
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.used = at;
  }

  private writePosition({ traceId, idHigh, idLow, parent, parentHigh, parentLow, startedAt, endedAt }: SpanPosition): void {
    const { bytes, view } = this;
    let at = this.used;
    const known = this.readTraceId(traceId);
    bytes[at] = TRACE_ID_TAG;
    bytes[at + 1] = 16;
    for (let index = 0; index < 4; index += 1) view.setInt32(at + 2 + index * 4, known[index] ?? 0);
    bytes[at + 18] = SPAN_ID_TAG;
    bytes[at + 19] = 8;
    view.setInt32(at + 20, idHigh);
    view.setInt32(at + 24, idLow);
    at += 28;
    if (parent !== 'none') {
      bytes[at] = PARENT_ID_TAG;
      bytes[at + 1] = 8;
      view.setInt32(at + 2, parentHigh);
      view.setInt32(at + 6, parentLow);
      at += 10;
    }
    bytes[at] = START_TAG;
    setNanoseconds(view, at + 1, startedAt);
    bytes[at + 9] = END_TAG;
    setNanoseconds(view, at + 10, endedAt);
    bytes[at + 18] = FLAGS_TAG & 0xff;
    bytes[at + 19] = FLAGS_TAG >> 8;
    view.setUint32(at + 20, parent === 'remote' ? REMOTE_FLAGS : LOCAL_FLAGS, true);
    this.used = at + 24;
  }

  /** Returns the id of a trace in four integers. Consecutive spans mostly have one trace. */
  private readTraceId(digits: string): Int32Array {
    const { traceId } = this;
    if (digits !== this.lastTrace) {
      for (let index = 0; index < 4; index += 1) traceId[index] = readHexInteger(digits, index * 8);
      this.lastTrace = digits;
    }
    return traceId;
  }
}

/** Size of the buffer before it grows. @unit bytes */
const INITIAL_BYTES = 131_072;

/** Maximum number of buffers that wait to be used again. */
const MAX_UNUSED = 4;

/** Maximum length of all spans of a batch, which determines the space for its head. @unit bytes */
const MAX_SPAN_BYTES = 0xff_ff_ff_ff;

/** Maximum length of the tag and the length of a span. @unit bytes */
const HEAD_BYTES = 6;

/** Length of the position of a span without a parent. @unit bytes */
const POSITION_BYTES = 52;
const POSITION_WITH_PARENT_BYTES = 62;

const SPANS_TAG = 0x12;
const TRACE_ID_TAG = 0x0a;
const SPAN_ID_TAG = 0x12;
const PARENT_ID_TAG = 0x22;
const START_TAG = 0x39;
const END_TAG = 0x41;
/** The two bytes of the tag, the first one in the lower bits. */
const FLAGS_TAG = 0x01_85;

/** Flags of a span that is sampled and whose parent is not remote: `SAMPLED` and `HAS_IS_REMOTE`. */
const LOCAL_FLAGS = 0x1_01;
/** Flags of a span that is sampled and whose parent is remote: those of others and `IS_REMOTE`. */
const REMOTE_FLAGS = 0x3_01;

/** Lengths for which the head of a request id is known. */
const HEADS: readonly Uint8Array[] = Array.from({ length: 65 }, (_, length) =>
  length === 0 ? new Uint8Array(0) : headOfRequestId(length),
);

/** Matches texts whose characters have one byte each. */
const ASCII = /^[\x20-\x7e]+$/;

/** Returns what precedes a request id. Undefined when the id is empty, long, or has other characters than ASCII. */
function headOfId(requestId: string): Uint8Array | undefined {
  return ASCII.test(requestId) ? HEADS[requestId.length] : undefined;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Writes a time in nanoseconds, which exceed the precision of a number. @param ms milliseconds since the epoch */
function setNanoseconds(view: DataView, at: number, ms: number): void {
  const seconds = Math.floor(ms / 1_000);
  const nanoseconds = Math.round((ms - seconds * 1_000) * 1e6);
  // A second has 512 times 1,953,125 nanoseconds, so that the factors below are exact.
  const units = seconds * 1_953_125;
  const high = Math.floor(units / UNITS_IN_HIGH);
  const low = (units - high * UNITS_IN_HIGH) * 512 + nanoseconds;
  const carry = low >= TWO_32 ? 1 : 0;
  view.setUint32(at, low - carry * TWO_32, true);
  view.setUint32(at + 4, high + carry, true);
}

const TWO_32 = 2 ** 32;
/** Number of units of 512 nanoseconds in 2^32 nanoseconds. */
const UNITS_IN_HIGH = TWO_32 / 512;
