import { describe, expect, it } from '@jest/globals';
import { createUrlSource } from '../../../../../gateway/supergraph/sources/url-source.ts';
import { recordSource, startScriptedServer, steppedSleep } from '../../../../support/gateway/record-source.ts';

const SETTINGS = { headers: {}, pollIntervalMs: 10_000, requestTimeoutMs: 10_000, maxBytes: 100 };

describe('createUrlSource', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof startScriptedServer>>['respond']>[0], string]>([
    ['a redirect', (response) => response.writeHead(302, { location: '/there' }).end(), 'redirect (302)'],
    ['a failure', (response) => response.writeHead(500).end('type Query'), 'status 500'],
    ['an unexpected 304', (response) => response.writeHead(304).end(), 'status 304'],
    ['a text that is too long', (response) => response.end('x'.repeat(101)), 'more than 100 bytes'],
    ['an encoded body', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'), 'content encoding gzip'],
    ['bytes that are not text', (response) => response.end(Buffer.from([0xff, 0xfe])), 'not valid UTF-8'],
    [
      'a truncated body',
      (response) => response.writeHead(200, { 'content-length': 50 }).write('half', () => response.destroy()),
      'cannot be reached',
    ],
  ])('reports %s with the URL but without its secrets', async (_name, respond, message) => {
    await using server = await startScriptedServer();
    server.respond(respond);
    await using source = createUrlSource({ ...SETTINGS, url: `${server.url}/graph?token=hidden`, sleep: steppedSleep().sleep });
    const record = recordSource();
    source.start(record.listener);
    const problem = await record.next();
    expect(problem).toContain(`problem: ${server.url}/graph `);
    expect(problem).toContain(message);
    expect(problem + source.name).not.toContain('hidden');
    expect(server.requests).toHaveLength(1);
  });

  it('reports a server that does not respond within the timeout', async () => {
    await using server = await startScriptedServer();
    server.respond(() => undefined);
    await using source = createUrlSource({ ...SETTINGS, requestTimeoutMs: 1, url: server.url, sleep: steppedSleep().sleep });
    const record = recordSource();
    source.start(record.listener);
    expect(await record.next()).toContain('did not respond within 1 ms');
  });

  it('does not wait for a pending request on disposal and reports nothing', async () => {
    await using server = await startScriptedServer();
    server.respond(() => undefined);
    const source = createUrlSource({ ...SETTINGS, url: server.url });
    const record = recordSource();
    source.start(record.listener);
    await source[Symbol.asyncDispose]();
    expect(record.unread()).toEqual([]);
  });

  it('reports a refused connection', async () => {
    const server = await startScriptedServer();
    await server[Symbol.asyncDispose]();
    await using source = createUrlSource({ ...SETTINGS, url: server.url, sleep: steppedSleep().sleep });
    const record = recordSource();
    source.start(record.listener);
    expect(await record.next()).toContain('ECONNREFUSED');
  });

  it('sends a conditional request after an entity tag and repeats an unchanged result', async () => {
    await using server = await startScriptedServer();
    server.respond((response, { headers }) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"one"' }).end('type Query { a: Int }');
    });
    const { sleep, step, pauses } = steppedSleep();
    await using source = createUrlSource({ ...SETTINGS, url: server.url, headers: { authorization: 'Bearer key' }, sleep });
    const record = recordSource();
    source.start(record.listener);
    expect(await record.next()).toBe('type Query { a: Int }');
    step();
    expect(await record.next()).toBe('type Query { a: Int }');
    expect(server.requests.map(({ headers }) => [headers['if-none-match'], headers.authorization])).toEqual([
      [undefined, 'Bearer key'],
      ['"one"', 'Bearer key'],
    ]);
    expect(pauses[0]).toBeGreaterThanOrEqual(10_000);
    expect(pauses[0]).toBeLessThanOrEqual(12_000);
  });
});
