import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { codeBlocks } from '../../support/pages/code-blocks.ts';

/** The page shows a subscription of the reference graph. The library graph of this test has one with the same shape. */
const page = readFileSync(join(packageRoot, 'docs/guides/subscriptions.md'), 'utf8')
  .replaceAll('postCreated', 'bookRenamed')
  .replaceAll('postId', 'title');
const blocksOf = (language: string) => codeBlocks(page, language);

const only = (language: string): string => {
  const blocks = blocksOf(language);
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? '';
};
const token = (expiresInSeconds = 3_600): string =>
  signToken({ sub: '1', exp: Math.floor(Date.now() / 1_000) + expiresInSeconds }, { key: DEVELOPMENT_KEY });

describe('the page about subscriptions', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  beforeEach(async () => {
    streams = createHandFedStreams();
    library = await startLibraryGateway({ subscribe: streams.subscribe });
  });
  afterEach(async () => library[Symbol.asyncDispose]());

  it('the documented client renews its token before it expires', async () => {
    const code = `return (async () => {${blocksOf('js')[0] ?? ''}; return client; })()`;
    const write = compileFunction(code, ['createClient', 'url', 'token', 'renewEveryMs']);
    const make = (settings: Parameters<typeof createClient>[0]): Client =>
      createClient({ ...settings, webSocketImpl: WebSocket, lazy: false });
    const tokens = [token(2)];
    const url = `${library.url.replace('http', 'ws')}/graphql`;
    const client = (await write(make, url, async () => tokens.shift() ?? token(), 500)) as Client;
    client.subscribe({ query: only('graphql') }, { next: () => undefined, error: () => undefined, complete: () => undefined });
    const stream = await streams.next();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    stream.push({ bookRenamed: { title: '1201' } });
    expect([stream.isReturned, streams.opened.length]).toEqual([false, 1]);
    await client.dispose();
    await stream.returned;
  });

  it('the documented request resumes after the last event on reconnect', async () => {
    const url = `${library.url.replace('http', 'ws')}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket, retryWait: async () => undefined });
    const heard: unknown[] = [];
    const hear = (one: unknown): void => void heard.push(one);
    const subscribe = compileFunction(blocksOf('js')[1] ?? '', ['client', 'show', 'report', 'finish']);
    subscribe(client, hear, hear, () => undefined);
    const first = await streams.next();
    first.push({ bookRenamed: { title: '1201' } }, '17-0');
    while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
    client.terminate();
    expect((await streams.next()).request.lastEventId).toBe('17-0');
    expect(heard).toEqual([{ data: { bookRenamed: { title: '1201' } }, extensions: { eventId: '17-0' } }]);
    await client.dispose();
  });

  it('the documented settings are the defaults', () => {
    const supergraph = { sdl: 'x' };
    const { subscriptions } = parse(only('yaml config')) as { subscriptions: object };
    expect(resolveGatewayConfig({ supergraph }).subscriptions).toMatchObject(subscriptions);
  });
});
