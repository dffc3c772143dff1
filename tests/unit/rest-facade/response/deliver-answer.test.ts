import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createCodings } from '../../../../gateway/platform/http/response/compress.ts';
import { readPreconditions } from '../../../../rest-facade/request/read-preconditions.ts';
import { createDelivery } from '../../../../rest-facade/response/deliver-answer.ts';

const deliver = createDelivery(createCodings({ enabled: true, minBytes: 100 }), () => 60_000);
const LONG = JSON.stringify({ text: 'word '.repeat(100) });
const HEADERS = {
  etag: '"7-abcdef"',
  vary: 'Accept',
  'cache-control': 'private, no-cache',
  'content-type': 'application/json',
  'content-location': '/a',
  'last-modified': new Date(0).toUTCString(),
};
const answer = (body: string, status = 200) => ({ status, headers: HEADERS, body });
const ask = (headers: Readonly<Record<string, string>>, body = LONG, status = 200) =>
  deliver(answer(body, status), { headers, preconditions: readPreconditions(headers, true) });

describe('the last stage of an answer', () => {
  it.each([
    ['no coding', {}, LONG],
    ['identity', { 'accept-encoding': 'identity' }, LONG],
    ['codings that are not spoken', { 'accept-encoding': 'zstd, compress' }, LONG],
    ['all of them refused (RFC 9110, section 12.5.3: an answer helps more than 406)', { 'accept-encoding': '*;q=0' }, LONG],
    ['gzip, and a short body', { 'accept-encoding': 'gzip' }, '{}'],
    ['gzip, and no body', { 'accept-encoding': 'gzip' }, ''],
  ])('given %s, when answered, then it goes as it is', async (_title, headers, body) => {
    expect(await ask(headers, body)).toEqual(answer(body));
  });

  it.each([
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['gzip, br', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
  ])(
    'given Accept-Encoding: %s, when answered, then the coding is %s and the tag says so (RFC 9110, section 8.8.3.3)',
    async (header, coding) => {
      const { headers, body } = await ask({ 'accept-encoding': header });
      expect({ coding: headers['content-encoding'], etag: headers['etag'] }).toEqual({ coding, etag: `"7-abcdef-${coding}"` });
      if (coding === 'gzip') expect(gunzipSync(body).toString()).toBe(LONG);
    },
  );

  it('given what the client has, when answered, then it is 304 without what is said of content (RFC 9110, section 15.4.5), and not a promise', () => {
    expect(ask({ 'accept-encoding': 'gzip', 'if-none-match': '"7-abcdef-gzip"' })).toEqual({
      status: 304,
      headers: { etag: '"7-abcdef-gzip"', vary: 'Accept', 'cache-control': 'private, no-cache', 'content-location': '/a' },
      body: '',
    });
  });

  it('given the tag of another coding, when answered, then all of it is sent', async () => {
    expect((await ask({ 'accept-encoding': 'gzip', 'if-none-match': '"7-abcdef"' })).status).toBe(200);
  });

  it('given If-Match, when answered in a coding, then the tag of that coding matches, and no other does (RFC 9110, section 13.1.1)', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    expect((await ask({ ...gzip, 'if-match': '"7-abcdef-gzip"' })).status).toBe(200);
    expect(() => ask({ ...gzip, 'if-match': '"7-abcdef"' })).toThrow(
      expect.objectContaining({ code: 'PRECONDITION_FAILED', headers: { etag: '"7-abcdef-gzip"' } }),
    );
  });

  it('given an answer that is not 200, when a condition would fail, then it does not count (RFC 9110, section 13.2.1)', async () => {
    expect((await ask({ 'if-none-match': '*' }, LONG, 201)).status).toBe(201);
    expect((await ask({ 'if-match': '"x"' }, LONG, 202)).status).toBe(202);
  });
});
