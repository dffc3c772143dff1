import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../gateway/platform/errors.ts';

/** Maximum size of a request body. @unit bytes */
const MAX_BODY_BYTES = 1_048_576;

/**
 * Reads the complete body unchanged, because the proof of the caller's identity covers exactly these bytes.
 *
 * @throws GatewayError `PAYLOAD_TOO_LARGE`
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const chunks: Buffer[] = [];
  let size = 0;
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  // Leaving the loop must not destroy the socket, because the error response is still sent on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): GatewayError {
  return new GatewayError('PAYLOAD_TOO_LARGE', `The request body is too large; at most ${MAX_BODY_BYTES} bytes are allowed.`);
}
