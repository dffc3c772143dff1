import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';

const LONG = JSON.stringify({ query: `{ book(id: "${'1'.repeat(2_000)}") { id } }` });
const SHORT = JSON.stringify({ query: '{ book(id: "1") { id } }' });

describe('compression of /graphql', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway();
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
  });

  /** Sends a request with a client that does not decompress by itself. */
  async function query(body: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await request(`${library.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.from(await response.body.arrayBuffer()) };
  }

  it('is not applied to a long response without `Accept-Encoding`, but `Vary` is sent', async () => {
    const { headers, bytes } = await query(LONG);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['vary']).toBe('Accept, Accept-Encoding');
    expect(JSON.parse(bytes.toString())).toEqual({ data: { book: { id: '1'.repeat(2_000) } } });
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is applied with %s to a long response, with the compressed length', async (coding, unpack) => {
    const plain = await query(LONG);
    const { status, headers, bytes } = await query(LONG, { 'accept-encoding': coding });
    expect({ status, coding: headers['content-encoding'], length: headers['content-length'], vary: headers['vary'] }).toEqual({
      status: 200,
      coding,
      length: String(bytes.length),
      vary: 'Accept, Accept-Encoding',
    });
    expect(unpack(bytes)).toEqual(plain.bytes);
  });

  it('is not applied to short responses and errors', async () => {
    const response = await query(SHORT, { 'accept-encoding': 'br, gzip' });
    const error = await query('{}', { 'accept-encoding': 'br, gzip' });
    expect([response.status, error.status]).toEqual([200, 400]);
    expect([response.headers['content-encoding'], error.headers['content-encoding']]).toEqual([undefined, undefined]);
  });

  it('is announced in the headers for HEAD, without a body', async () => {
    const query = encodeURIComponent(`{ book(id: "${'1'.repeat(2_000)}") { id } }`);
    const response = await request(`${library.url}/graphql?query=${query}`, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(response.headers['content-encoding']).toBe('br');
    expect(await response.body.text()).toBe('');
  });
});
