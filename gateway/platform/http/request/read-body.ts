import type { IncomingMessage } from 'node:http';
import { decodeUtf8 } from '../../decode-utf8.ts';
import { PlainRequest, type ReceivedRequest } from '../plain/plain-request.ts';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import { GatewayError } from '../../errors.ts';
import { readContentType, requireUtf8 } from './content-type.ts';
import { abandonBody } from './unread-body.ts';
import { reserveBody } from '../limits/edge-limits.ts';
import { COUNTED_BYTES } from '../limits/pending-responses.ts';

export interface ReadBodyOptions {
  /** Maximum size of a body, measured after decompression. @unit bytes */
  readonly maxBytes: number;
}

type Decoder = Transform & Zlib;

const DECODERS: ReadonlyMap<string, () => Decoder> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()], // Alias of gzip (RFC 9110, section 8.4.1.3).
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/**
 * Reads the body as text. Bytes are counted while they are received, after decompression, so that a small body that expands to a large one
 * is stopped at the limit. A rejected request remains paused with unread data; `sendResponse` handles that.
 *
 * @throws GatewayError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE` (encoding, charset), `BAD_REQUEST` (invalid UTF-8 or compression),
 * `OVERLOADED` (too many bytes of bodies are being received by this process, or from this address)
 */
export async function readBody(request: ReceivedRequest, { maxBytes }: ReadBodyOptions): Promise<string> {
  if (!(request instanceof PlainRequest) && request.readableEnded)
    throw new Error('The request body was already consumed by an outer handler.');
  // The client may have disconnected while its credentials were checked. No further events are emitted for the request then.
  if (request.destroyed) throw incomplete();
  requireUtf8(readContentType(request.headers));
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const decoder = createDecoder(request.headers['content-encoding']);
  const reservation = decoder === undefined && isShort(request) ? undefined : reserveBody(request);
  try {
    const bytes = await (request instanceof PlainRequest
      ? takeReceived(request, reservation?.grow)
      : decoder === undefined
        ? collectWhole(request, maxBytes, reservation?.grow)
        : unpack(request, decoder, maxBytes, reservation?.grow));
    const text = decodeUtf8(bytes);
    if (text === undefined) throw new GatewayError('BAD_REQUEST', 'The body is not valid UTF-8.');
    return text;
  } finally {
    reservation?.release();
  }
}

/** Whether the announced length, which the HTTP parser enforces, is below the size that is counted. */
function isShort({ headers }: ReceivedRequest): boolean {
  const length = headers['content-length'];
  return length !== undefined && headers['transfer-encoding'] === undefined && Number(length) < COUNTED_BYTES;
}

/** Called with the size of the body that is held. @throws GatewayError when it exceeds the limit */
type OnGrowth = ((size: number) => void) | undefined;

function createDecoder(header: string | undefined): Decoder | undefined {
  const encoding = header?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return undefined;
  const create = DECODERS.get(encoding);
  if (create !== undefined) return create();
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The content encoding of the body is not supported. Use gzip, deflate, br or no encoding.',
    {
      headers: { 'accept-encoding': 'gzip, deflate, br' },
    },
  );
}

/** Takes a body that was received with its head. It is not encoded, and its length is below the maximum. */
function takeReceived(request: PlainRequest, onGrowth: OnGrowth): Buffer {
  const body = request.takeBody();
  onGrowth?.(body.length);
  return body;
}

/**
 * Reads `source` to its end, or until it exceeds the maximum. It is then paused instead of destroyed, because the response needs its
 * socket.
 */
function collect(source: Readable, maxBytes: number, onGrowth: OnGrowth): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void): void => {
      source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      act();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > maxBytes) throw tooLarge(maxBytes);
        onGrowth?.(size);
        chunks.push(chunk);
      } catch (error) {
        source.pause();
        settle(() => reject(error));
      }
    };
    // Only the `close` event follows the end, so the other listeners can remain.
    const onEnd = (): void => {
      source.off('close', onClose);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onClose = (): void => settle(() => reject(incomplete()));
    const onError = (cause: Error): void => settle(() => reject(incomplete(cause)));
    source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
  });
}

async function collectWhole(request: IncomingMessage, maxBytes: number, onGrowth: OnGrowth): Promise<Buffer> {
  try {
    return await collect(request, maxBytes, onGrowth);
  } catch (error) {
    abandonBody(request);
    throw error;
  }
}

async function unpack(request: IncomingMessage, decoder: Decoder, maxBytes: number, onGrowth: OnGrowth): Promise<Buffer> {
  let packed = 0;
  // Empty members can follow each other without any output, so the input is counted as well.
  const count = (chunk: Buffer): void => {
    packed += chunk.length;
    if (packed > maxBytes) decoder.destroy(tooLarge(maxBytes));
  };
  const clientLeft = (): void => {
    if (!request.complete) decoder.destroy(incomplete());
  };
  request.on('data', count).once('close', clientLeft);
  request.pipe(decoder);
  let isWhole = false;
  try {
    const bytes = await collect(decoder, maxBytes, onGrowth);
    // A decoder ends before its source if bytes follow the compressed data.
    isWhole = request.readableEnded && decoder.bytesWritten === packed;
    return bytes;
  } finally {
    if (!isWhole) abandonBody(request);
    request.off('data', count).off('close', clientLeft).unpipe(decoder).pause();
    decoder.on('error', () => {}).destroy();
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}

function incomplete(cause?: Error): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new GatewayError('BAD_REQUEST', 'The body is incomplete or its compression is invalid.', { cause });
}
