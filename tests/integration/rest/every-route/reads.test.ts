import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { expectError } from '../../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { sharedPath, routes, titled } from './reference-routes.ts';
import { whileUnchanged } from '../../../support/http/while-unchanged.ts';

const reads = titled(routes.filter(({ method }) => method === 'GET'));
const resources = titled(routes.filter(({ method, result }) => method === 'GET' && result.validators.version !== undefined));

/** Headers that differ between equal responses. */
const FLEETING = new Set(['date', 'x-correlation-id', 'ratelimit']);

const lasting = (headers: object) => Object.fromEntries(Object.entries(headers).filter(([name]) => !FLEETING.has(name)));

describeOnStack('responses of every read route', (stack) => {
  const { http, tokens } = stack;
  const token = tokens.admin;

  it.each(reads)('HEAD for %s returns the headers of GET without a body', async (_title, route) => {
    const path = await sharedPath(route, stack);
    await whileUnchanged(http, { path, token }, async () => {
      for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
        const get = await http.get(path, { token, headers });
        const head = await http.send({ method: 'HEAD', path, token, headers });
        expect({ status: head.status, length: head.bytes.length }).toEqual({ status: 200, length: 0 });
        // Last-Modified is sent only after its second is over, which may happen between the two responses.
        const isNew = get.headers['last-modified'] === undefined;
        expect(lasting(isNew ? { ...head.headers, 'last-modified': undefined } : head.headers)).toEqual(lasting(get.headers));
        expect(head.headers['content-length']).toBe(String(get.bytes.length));
        expect(head.headers['etag']).toMatch(/^"[^"]+"$/);
      }
    });
  });

  it.each(reads)('%s returns 304 with caching headers only when If-None-Match matches', async (_title, route) => {
    const path = await sharedPath(route, stack);
    await whileUnchanged(http, { path, token }, async () => {
      const { headers: reported } = await http.get(path, { token });
      const etag = String(reported['etag']);
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await http.get(path, { token, headers: { 'if-none-match': header } });
        expect({ header, status: response.status, length: response.bytes.length }).toEqual({ header, status: 304, length: 0 });
        const { etag: again, 'cache-control': freshness, vary, date } = response.headers;
        expect({ again, freshness, vary }).toEqual({ again: etag, freshness: reported['cache-control'], vary: reported['vary'] });
        expect(date).toBeDefined();
        expect(response.headers).not.toHaveProperty('content-type');
        expect(response.headers).not.toHaveProperty('content-length');
      }
      expect((await http.get(path, { token, headers: { 'if-none-match': '"other"' } })).status).toBe(200);
      expect((await http.get(path, { token, headers: { 'if-none-match': 'no tag at all' } })).status).toBe(200);
    });
  });

  it.each(reads)('%s returns 412 for an If-Match with another or a weak tag', async (_title, route) => {
    const path = await sharedPath(route, stack);
    await whileUnchanged(http, { path, token }, async () => {
      const etag = String((await http.get(path, { token })).headers['etag']);
      const status = async (header: string) => (await http.get(path, { token, headers: { 'if-match': header } })).status;
      expect([await status(etag), await status(`"x", ${etag}`), await status('*')]).toEqual([200, 200, 200]);
      expect([await status('"x"'), await status(`W/${etag}`)]).toEqual([412, 412]);
      expectError(await http.get(path, { token, headers: { 'if-match': 'no tag' } }), 400, 'BAD_REQUEST');
    });
  });

  it.each(reads)('%s has the same content and a distinct entity tag in each coding', async (_title, route) => {
    const path = await sharedPath(route, stack);
    await whileUnchanged(http, { path, token }, async () => {
      const plain = await http.get(path, { token, headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers['vary']).toContain('Accept-Encoding');
      const tags = new Set([plain.headers['etag']]);
      for (const [coding, unpack] of [
        ['gzip', gunzipSync],
        ['br', brotliDecompressSync],
      ] as const) {
        const packed = await http.get(path, { token, headers: { 'accept-encoding': coding } });
        if (plain.bytes.length < 1_024) {
          expect(packed.headers).not.toHaveProperty('content-encoding');
          continue;
        }
        expect(packed.headers['content-encoding']).toBe(coding);
        expect(unpack(packed.bytes).toString()).toBe(plain.text);
        tags.add(packed.headers['etag']);
        const known = await http.get(path, {
          token,
          headers: { 'accept-encoding': coding, 'if-none-match': String(packed.headers['etag']) },
        });
        expect({ status: known.status, etag: known.headers['etag'] }).toEqual({ status: 304, etag: packed.headers['etag'] });
      }
      expect(tags.size).toBe(plain.bytes.length < 1_024 ? 1 : 3);
    });
  });

  it.each(resources)('%s has the same version and another tag when `fields` selects a part', async (_title, route) => {
    const path = await sharedPath(route, stack);
    const whole = (await http.get(path, { token })).headers['etag'];
    const part = (await http.get(`${path}?fields=id`, { token })).headers['etag'];
    expect(part).not.toBe(whole);
    const version = (etag: string | undefined) => etag?.split('-')[0];
    expect(version(part)).toBe(version(whole));
    expectError(await http.get(path, { token, headers: { 'if-match': String(part) } }), 412, 'PRECONDITION_FAILED');
  });

  it.each(resources)('%s honors If-Modified-Since and If-Unmodified-Since', async (_title, route) => {
    const path = await sharedPath(route, stack);
    const changed = (await http.get(path, { token })).headers['last-modified'];
    if (changed === undefined) return; // Several subgraphs resolve the resource, so it has no Last-Modified.
    expect((await http.get(path, { token, headers: { 'if-modified-since': changed } })).status).toBe(304);
    const before = new Date(Date.parse(changed) - 1_000).toUTCString();
    expect((await http.get(path, { token, headers: { 'if-modified-since': before } })).status).toBe(200);
    expect((await http.get(path, { token, headers: { 'if-unmodified-since': before } })).status).toBe(412);
    const both = { 'if-modified-since': changed, 'if-none-match': '"another"' };
    expect((await http.get(path, { token, headers: both })).status).toBe(200);
  });

  it.each(reads)('%s ignores Range and returns the whole content', async (_title, route) => {
    const response = await http.get(await sharedPath(route, stack), { token, headers: { range: 'bytes=0-1' } });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('content-range');
  });
});

describe('resource routes', () => {
  it('every single resource has a version', () => {
    const without = routes.filter(({ method, result }) => method === 'GET' && !result.isPage && result.validators.version === undefined);
    expect(without.map(({ operationName }) => operationName)).toEqual([]);
  });
});
