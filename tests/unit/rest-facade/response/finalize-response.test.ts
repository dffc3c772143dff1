import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createCodings } from '../../../../gateway/platform/http/response/compress.ts';
import { readPreconditions } from '../../../../rest-facade/request/conditional/preconditions.ts';
import { createResponseFinalizer } from '../../../../rest-facade/response/finalize-response.ts';

const deliver = createResponseFinalizer(createCodings({ enabled: true, minBytes: 100 }), () => 60_000);
const LONG = JSON.stringify({ text: 'word '.repeat(100) });
const HEADERS = {
  etag: '"7-abcdef"',
  vary: 'Accept',
  'cache-control': 'private, no-cache',
  'content-type': 'application/json',
  'content-location': '/a',
  'last-modified': new Date(0).toUTCString(),
};
const respond = (body: string, status = 200) => ({ status, headers: HEADERS, body });
const request = (headers: Readonly<Record<string, string>>, body = LONG, status = 200) =>
  deliver(respond(body, status), { headers, preconditions: readPreconditions(headers, true) });

describe('the final response', () => {
  it.each([
    ['no coding', {}, LONG],
    ['identity', { 'accept-encoding': 'identity' }, LONG],
    ['unsupported codings', { 'accept-encoding': 'zstd, compress' }, LONG],
    ['the rejection of all codings (RFC 9110, section 12.5.3: a response helps more than 406)', { 'accept-encoding': '*;q=0' }, LONG],
    ['gzip with a short body', { 'accept-encoding': 'gzip' }, '{}'],
    ['gzip without a body', { 'accept-encoding': 'gzip' }, ''],
  ])('is not compressed for %s', async (_title, headers, body) => {
    expect(await request(headers, body)).toEqual(respond(body));
  });

  it.each([
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.1', 'gzip'],
    ['gzip, br', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
  ])('for Accept-Encoding: %s it has the coding %s and its tag (RFC 9110, section 8.8.3.3)', async (header, coding) => {
    const { headers, body } = await request({ 'accept-encoding': header });
    expect({ coding: headers['content-encoding'], etag: headers['etag'] }).toEqual({ coding, etag: `"7-abcdef-${coding}"` });
    if (coding === 'gzip') expect(gunzipSync(body).toString()).toBe(LONG);
  });

  it('is a synchronous 304 without content headers on a match (RFC 9110, section 15.4.5)', () => {
    expect(request({ 'accept-encoding': 'gzip', 'if-none-match': '"7-abcdef-gzip"' })).toEqual({
      status: 304,
      headers: { etag: '"7-abcdef-gzip"', vary: 'Accept', 'cache-control': 'private, no-cache', 'content-location': '/a' },
      body: '',
    });
  });

  it('is complete when the client has the tag of another coding', async () => {
    expect((await request({ 'accept-encoding': 'gzip', 'if-none-match': '"7-abcdef"' })).status).toBe(200);
  });

  it('matches `If-Match` only by the tag of its coding (RFC 9110, section 13.1.1)', async () => {
    const gzip = { 'accept-encoding': 'gzip' };
    expect((await request({ ...gzip, 'if-match': '"7-abcdef-gzip"' })).status).toBe(200);
    expect(() => request({ ...gzip, 'if-match': '"7-abcdef"' })).toThrow(
      expect.objectContaining({ code: 'PRECONDITION_FAILED', headers: { etag: '"7-abcdef-gzip"' } }),
    );
  });

  it('ignores conditions unless the status is 200 (RFC 9110, section 13.2.1)', async () => {
    expect((await request({ 'if-none-match': '*' }, LONG, 201)).status).toBe(201);
    expect((await request({ 'if-match': '"x"' }, LONG, 202)).status).toBe(202);
  });
});
