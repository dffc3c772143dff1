import type { Readable } from 'node:stream';
import { subgraphInvalidResponse } from './failures.ts';

/**
 * The whole body as text. It is counted as it arrives, so that no more than `maxBytes` is ever held.
 *
 * @param maxBytes @unit bytes
 * @throws GatewayError `SUBGRAPH_INVALID_RESPONSE` when the body is longer
 */
export function readText(body: Readable, maxBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else body.destroy(subgraphInvalidResponse(new Error(`The body is longer than ${maxBytes} bytes.`)));
    });
    body.on('end', () => resolve(Buffer.concat(chunks, size).toString('utf8')));
    body.on('error', reject);
    body.on('close', () => reject(new Error('The body ended early.')));
  });
}
