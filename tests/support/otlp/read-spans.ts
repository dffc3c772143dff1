/** A span as a collector reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  /** @unit nanoseconds since the epoch */
  readonly start: bigint;
  /** @unit nanoseconds since the epoch */
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly statusCode: number;
}

/** Spans of one request to a collector. */
export interface ReceivedBatch {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly spans: readonly ReceivedSpan[];
}

type Field = bigint | Buffer;

/** Fields of a message in the binary encoding of Protocol Buffers, by number. */
class Message {
  readonly #fields = new Map<number, Field[]>();

  constructor(bytes: Buffer) {
    let at = 0;
    const varint = (): bigint => {
      let value = 0n;
      for (let shift = 0n; ; shift += 7n) {
        const byte = bytes.readUInt8(at++);
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    const take = (length: number): Buffer => {
      if (at + length > bytes.length) throw new Error('A field is longer than its message.');
      return bytes.subarray(at, (at += length));
    };
    while (at < bytes.length) {
      const tag = Number(varint());
      const field = tag >> 3;
      const type = tag & 7;
      const value = type === 0 ? varint() : take(type === 1 ? 8 : type === 5 ? 4 : Number(varint()));
      this.#fields.set(field, [...this.all(field), value]);
    }
  }

  all(field: number): Field[] {
    return this.#fields.get(field) ?? [];
  }

  bytes(field: number): Buffer | undefined {
    return this.all(field).at(-1) as Buffer | undefined;
  }

  messages(field: number): Message[] {
    return this.all(field).map((bytes) => new Message(bytes as Buffer));
  }

  text(field: number): string {
    return this.bytes(field)?.toString('utf8') ?? '';
  }

  number(field: number): number {
    return Number(BigInt.asIntN(64, (this.all(field).at(-1) as bigint | undefined) ?? 0n));
  }

  has(field: number): boolean {
    return this.all(field).length > 0;
  }
}

/** Reads the body of a request to a collector: the message `ExportTraceServiceRequest` of OTLP. */
export function readSpans(body: Uint8Array): ReceivedBatch {
  const [resourceSpans = new Message(Buffer.alloc(0)), ...others] = new Message(Buffer.from(body)).messages(1);
  if (others.length > 0) throw new Error('Expected one resource.');
  const [scopeSpans = new Message(Buffer.alloc(0))] = resourceSpans.messages(2);
  return {
    resource: Object.assign({}, ...resourceSpans.messages(1).map((resource) => attributesOf(resource, 1))) as Record<string, unknown>,
    scope: scopeSpans.messages(1)[0]?.text(1) ?? '',
    spans: scopeSpans.messages(2).map((span) => ({
      traceId: span.bytes(1)?.toString('hex') ?? '',
      spanId: span.bytes(2)?.toString('hex') ?? '',
      parentSpanId: span.bytes(4)?.toString('hex'),
      flags: span.bytes(16)?.readUInt32LE() ?? 0,
      name: span.text(5),
      kind: span.number(6),
      start: span.bytes(7)?.readBigUInt64LE() ?? 0n,
      end: span.bytes(8)?.readBigUInt64LE() ?? 0n,
      attributes: attributesOf(span, 9),
      statusCode: span.messages(15)[0]?.number(3) ?? 0,
    })),
  };
}

function attributesOf(message: Message, field: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(message.messages(field).map((pair) => [pair.text(1), pair.messages(2).map(valueOf)[0]]));
}

function valueOf(value: Message): unknown {
  if (value.has(1)) return value.text(1);
  if (value.has(2)) return value.number(2) === 1;
  if (value.has(3)) return value.number(3);
  if (value.has(4)) return value.bytes(4)?.readDoubleLE();
  return value.messages(5).flatMap((list) => list.messages(1).map(valueOf));
}
