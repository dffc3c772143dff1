/** Response of a collector that has rejected some of the spans. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly errorMessage: string;
}

/**
 * Reads the response of a collector: a message in the binary encoding of Protocol Buffers whose field 1 is a message with the number of
 * rejected spans and the reason. A response in another format counts as an empty one.
 */
export function readReport(body: Uint8Array): { readonly partialSuccess?: PartialSuccess } {
  const partial = readFields(body).get(1);
  if (!(partial instanceof Uint8Array)) return {};
  const fields = readFields(partial);
  const rejected = fields.get(1);
  const message = fields.get(2);
  return {
    partialSuccess: {
      rejectedSpans: typeof rejected === 'number' ? rejected : 0,
      errorMessage: message instanceof Uint8Array ? Buffer.from(message).toString() : '',
    },
  };
}

/** Reads the fields with integers and with bytes, up to the first field of another type. */
function readFields(bytes: Uint8Array): ReadonlyMap<number, number | Uint8Array> {
  const fields = new Map<number, number | Uint8Array>();
  let at = 0;

  function readVarint(): number {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 0x80) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte <= 0x7f) break;
    }
    return value;
  }

  while (at < bytes.length) {
    const tag = readVarint();
    const type = tag % 8;
    if (type !== VARINT && type !== LENGTH_DELIMITED) break;
    const value = readVarint();
    const field = Math.floor(tag / 8);
    if (type === VARINT) fields.set(field, value);
    else {
      fields.set(field, bytes.subarray(at, at + value));
      at += value;
    }
  }
  return fields;
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;
