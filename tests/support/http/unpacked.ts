import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** Decodes a body from its content coding. */
export function unpacked(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  return coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
