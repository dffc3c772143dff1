import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type CompressionSettings, createCodings, createCompress } from '../../../../../../gateway/platform/http/response/compress.ts';
import type { Reply } from '../../../../../../gateway/platform/http/response/send-response.ts';

const TEXT = JSON.stringify({ data: { names: Array.from({ length: 200 }, (_, index) => `Ærlig ${index}`) } });

const replyOf = (body: string): Reply => ({ status: 200, headers: { 'content-type': 'application/json', vary: 'Accept' }, body });

async function compressed(acceptEncoding: string | undefined, settings: Partial<CompressionSettings> = {}, body = TEXT) {
  const reply = await createCompress(createCodings({ enabled: true, minBytes: 1_024, ...settings }))(replyOf(body), acceptEncoding);
  const headers: Record<string, unknown> = Object.fromEntries(Object.entries(reply.headers));
  const coding = headers['content-encoding'];
  const bytes = Buffer.from(reply.body);
  const text = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
  return { coding, text: text.toString(), headers };
}

describe('createCompress', () => {
  it.each([
    ['nothing said', undefined, undefined],
    ['an empty header', '', undefined],
    ['identity alone', 'identity', undefined],
    ['everything refused', 'identity;q=0, *;q=0', undefined],
    ['codings that we do not have', 'zstd, deflate', undefined],
    ['both codings refused', 'br;q=0, gzip;q=0', undefined],
    ['no compression preferred', 'identity, gzip;q=0.5', undefined],
    ['a header of more than 1,024 characters', `gzip, ${'x'.repeat(1_024)}`, undefined],
    ['what is no header at all', ';;q=,,=', undefined],
    ['what browsers send', 'gzip, deflate, br, zstd', 'br'],
    ['anything', '*', 'br'],
    ['gzip preferred', 'br;q=0.2, gzip', 'gzip'],
    ['gzip alone, in capitals', 'GZIP', 'gzip'],
  ])('given %s, when an answer is long enough, then it is coded so or not at all', async (_what, header, expected) => {
    const { coding, text } = await compressed(header);
    expect(coding).toBe(expected);
    expect(text).toBe(TEXT);
  });

  it('given an answer, when it is compressed, then its other headers and status stay', async () => {
    expect((await compressed('gzip')).headers).toEqual({ 'content-type': 'application/json', vary: 'Accept', 'content-encoding': 'gzip' });
  });

  it('given an answer below the limit, when compression is accepted, then it goes as it is', async () => {
    expect((await compressed('br', {}, 'a'.repeat(1_023))).coding).toBeUndefined();
    expect((await compressed('br', {}, 'a'.repeat(1_024))).coding).toBe('br');
  });

  it.each([
    ['no other coding than gzip', 'gzip, identity;q=0', 'gzip'],
    ['no coding that is not named', 'gzip, *;q=0', 'gzip'],
    ['any coding', '*, identity;q=0', 'br'],
    ['nothing at all', 'identity;q=0', undefined],
    ['all, without coding most', 'identity, gzip;q=0.5', undefined],
  ])('given %s, when an answer is below the limit, then it is coded only where it must be', async (_what, header, expected) => {
    expect((await compressed(header, {}, 'short')).coding).toBe(expected);
  });

  it('given other clients in between, when answers are below the limit, then each client gets its own coding', async () => {
    const { choose } = createCodings({ enabled: true, minBytes: 1_024 });
    const headers = ['gzip', 'gzip, identity;q=0', undefined, 'gzip, identity;q=0', 'gzip', 'x'.repeat(2_000)];
    expect(headers.map((header) => choose(header, 'short'))).toEqual([undefined, 'gzip', undefined, 'gzip', undefined, undefined]);
  });

  it('given an answer with characters of several bytes, when compression is accepted, then its bytes count and not its characters', async () => {
    expect((await compressed('br', {}, '\u20ac'.repeat(341))).coding).toBeUndefined(); // 1,023 bytes
    expect((await compressed('br', {}, `${'\u20ac'.repeat(341)}a`)).coding).toBe('br');
    expect((await compressed('br', {}, 'æ'.repeat(511))).coding).toBeUndefined();
    expect((await compressed('br', {}, 'æ'.repeat(512))).coding).toBe('br');
  });

  it('given that it is switched off, when compression is accepted, then the answer goes as it is', async () => {
    expect((await compressed('br', { enabled: false })).coding).toBeUndefined();
  });
});
