import { describe, expect, it } from '@jest/globals';
import { createUplinkSource } from '../../../../../gateway/supergraph/sources/uplink-source.ts';
import { recordSource, type ScriptedServer, startScriptedServer, steppedSleep } from '../../../../support/gateway/record-source.ts';

const KEY = 'service:library:hidden';

function open(endpoints: readonly string[]) {
  const stepped = steppedSleep();
  const source = createUplinkSource({
    key: KEY,
    graphRef: 'library@current',
    endpoints,
    pollIntervalMs: 10_000,
    requestTimeoutMs: 10_000,
    maxBytes: 10_000,
    sleep: stepped.sleep,
  });
  const record = recordSource();
  source.start(record.listener);
  return { ...stepped, ...record, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() };
}

function respondWith(server: ScriptedServer, routerConfig: unknown): void {
  server.respond((response) => response.end(JSON.stringify({ data: { routerConfig } })));
}

function variablesOf(server: ScriptedServer): unknown[] {
  return server.requests.map(({ body }) => (JSON.parse(body) as { variables: unknown }).variables);
}

describe('createUplinkSource', () => {
  it.each<[string, unknown, string]>([
    ['a failure', { __typename: 'FetchError', code: 'ACCESS_DENIED', message: 'No.', minDelaySeconds: 60 }, 'ACCESS_DENIED: No.'],
    ['of an unknown type', { __typename: 'Surprise' }, 'an unexpected format'],
    ['unchanged before a first supergraph', { __typename: 'Unchanged', id: 'x' }, 'an unexpected format'],
    ['empty', null, 'without a supergraph'],
  ])('reports a problem without the key when the response is %s', async (_name, config, message) => {
    await using server = await startScriptedServer();
    respondWith(server, config);
    await using uplink = open([server.url]);
    const problem = await uplink.next();
    expect(problem).toContain(message);
    expect(problem).not.toContain('hidden');
  });

  it('honors the minimum delay of a failure', async () => {
    await using server = await startScriptedServer();
    respondWith(server, { __typename: 'FetchError', code: 'RETRY_LATER', message: 'Later.', minDelaySeconds: 60 });
    await using uplink = open([server.url]);
    await uplink.next();
    await new Promise(setImmediate);
    expect(uplink.pauses[0]).toBeGreaterThanOrEqual(60_000);
  });

  it('uses another endpoint if one is unable to respond, but accepts a rejection', async () => {
    await using unable = await startScriptedServer();
    await using server = await startScriptedServer();
    respondWith(unable, { __typename: 'FetchError', code: 'NOT_IMPLEMENTED_ON_THIS_INSTANCE', message: 'Not here.' });
    respondWith(server, { __typename: 'FetchError', code: 'UNKNOWN_REF', message: 'Who?' });
    await using uplink = open([unable.url, server.url]);
    expect(await uplink.next()).toContain('UNKNOWN_REF');
    uplink.step();
    expect(await uplink.next()).toContain('UNKNOWN_REF');
    expect([unable.requests.length, server.requests.length]).toEqual([1, 2]);
  });

  it('uses another endpoint if one fails, and prefers it from then on', async () => {
    await using broken = await startScriptedServer();
    await using server = await startScriptedServer();
    broken.respond((response) => response.writeHead(502).end('<html>'));
    respondWith(server, { __typename: 'RouterConfigResult', id: '1', supergraphSDL: 'one', minDelaySeconds: 30 });
    await using uplink = open([broken.url, server.url]);
    expect(await uplink.next()).toBe('one');
    uplink.step();
    expect(await uplink.next()).toBe('one');
    expect([broken.requests.length, server.requests.length]).toEqual([1, 2]);
    expect(uplink.pauses[0]).toBeGreaterThanOrEqual(30_000);
  });

  it('requests only supergraphs after the current id', async () => {
    await using server = await startScriptedServer();
    respondWith(server, { __typename: 'RouterConfigResult', id: '2024', supergraphSDL: 'one', minDelaySeconds: 1 });
    await using uplink = open([server.url]);
    expect(await uplink.next()).toBe('one');
    respondWith(server, { __typename: 'Unchanged', id: '2024', minDelaySeconds: 1 });
    uplink.step();
    expect(await uplink.next()).toBe('one');
    respondWith(server, { __typename: 'RouterConfigResult', id: '2025', supergraphSDL: 'two', minDelaySeconds: 1 });
    uplink.step();
    expect(await uplink.next()).toBe('two');
    expect(variablesOf(server)).toEqual([
      { apiKey: KEY, ref: 'library@current' },
      { apiKey: KEY, ref: 'library@current', ifAfterId: '2024' },
      { apiKey: KEY, ref: 'library@current', ifAfterId: '2024' },
    ]);
  });
});
