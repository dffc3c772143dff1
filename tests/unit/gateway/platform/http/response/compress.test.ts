import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type CompressionSettings, createCodings, createCompress } from '../../../../../../gateway/platform/http/response/compress.ts';
import { LongText } from '../../../../../../gateway/platform/long-text.ts';
import { runSteps } from '../../../../../../gateway/platform/run-steps.ts';
import type { HttpResponse } from '../../../../../../gateway/platform/http/response/send-response.ts';

const TEXT = JSON.stringify({ data: { names: Array.from({ length: 200 }, (_, index) => `Ærlig ${index}`) } });

const responseFor = (body: string): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json', vary: 'Accept' },
  body,
});

async function compressed(acceptEncoding: string | undefined, settings: Partial<CompressionSettings> = {}, body = TEXT) {
  const response = await createCompress(createCodings({ enabled: true, minBytes: 1_024, ...settings }))(responseFor(body), acceptEncoding);
  const headers: Record<string, unknown> = Object.fromEntries(Object.entries(response.headers));
  const coding = headers['content-encoding'];
  const bytes = Buffer.from(response.body);
  const text = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  return { coding, text: text.toString(), headers };
}

describe('createCompress', () => {
  it('compresses a body in pieces as a whole', async () => {
    const longBody = runSteps(LongText.inSteps([TEXT]));
    const compress = createCompress(createCodings({ enabled: true, minBytes: 1_024 }));
    const response = await compress({ ...responseFor(TEXT), longBody }, 'gzip');
    expect(response.longBody).toBeUndefined();
    expect(gunzipSync(response.body).toString()).toBe(TEXT);
  });

  it.each([
    ['no header', undefined, undefined],
    ['an empty header', '', undefined],
    ['identity alone', 'identity', undefined],
    ['everything rejected', 'identity;q=0, *;q=0', undefined],
    ['unsupported codings', 'zstd, deflate', undefined],
    ['both codings rejected', 'br;q=0, gzip;q=0', undefined],
    ['no compression preferred', 'identity, gzip;q=0.5', undefined],
    ['a header of more than 1,024 characters', `gzip, ${'x'.repeat(1_024)}`, undefined],
    ['an invalid header', ';;q=,,=', undefined],
    ['the header of browsers', 'gzip, deflate, br, zstd', 'br'],
    ['anything', '*', 'br'],
    ['gzip preferred', 'br;q=0.2, gzip', 'gzip'],
    ['gzip alone, in capitals', 'GZIP', 'gzip'],
  ])('negotiates the coding of a long response for %s', async (_what, header, expected) => {
    const { coding, text } = await compressed(header);
    expect(coding).toBe(expected);
    expect(text).toBe(TEXT);
  });

  it('retains other headers and the status', async () => {
    expect((await compressed('gzip')).headers).toEqual({ 'content-type': 'application/json', vary: 'Accept', 'content-encoding': 'gzip' });
  });

  it('does not compress a response below the size limit', async () => {
    expect((await compressed('br', {}, 'a'.repeat(1_023))).coding).toBeUndefined();
    expect((await compressed('br', {}, 'a'.repeat(1_024))).coding).toBe('br');
  });

  it.each([
    ['gzip only', 'gzip, identity;q=0', 'gzip'],
    ['named codings only', 'gzip, *;q=0', 'gzip'],
    ['any coding except identity', '*, identity;q=0', 'br'],
    ['nothing at all', 'identity;q=0', undefined],
    ['a preference for identity', 'identity, gzip;q=0.5', undefined],
  ])('compresses a response below the size limit only if required by %s', async (_what, header, expected) => {
    expect((await compressed(header, {}, 'short')).coding).toBe(expected);
  });

  it('does not mix up the codings of different clients below the size limit', async () => {
    const { choose } = createCodings({ enabled: true, minBytes: 1_024 });
    const headers = ['gzip', 'gzip, identity;q=0', undefined, 'gzip, identity;q=0', 'gzip', 'x'.repeat(2_000)];
    expect(headers.map((header) => choose(header, 'short'))).toEqual([undefined, 'gzip', undefined, 'gzip', undefined, undefined]);
  });

  it('compares the size limit with bytes, not with characters', async () => {
    expect((await compressed('br', {}, '\u20ac'.repeat(341))).coding).toBeUndefined(); // 1,023 bytes
    expect((await compressed('br', {}, `${'\u20ac'.repeat(341)}a`)).coding).toBe('br');
    expect((await compressed('br', {}, 'æ'.repeat(511))).coding).toBeUndefined();
    expect((await compressed('br', {}, 'æ'.repeat(512))).coding).toBe('br');
  });

  it('does not compress when compression is disabled', async () => {
    expect((await compressed('br', { enabled: false })).coding).toBeUndefined();
  });
});
