import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';

const QUERY = '/graphql?query={__typename}';

async function request(url: string, agent: Agent): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

describe('the shutdown of a listening gateway', () => {
  it('first reports that it is not ready, while it serves new connections with Connection: close', async () => {
    await using library = await startLibraryGateway({ config: { server: { shutdown: { lameDuckMs: 2_000 } } } });
    const calls: string[] = [];
    library.gateway.onShutdown(() => void calls.push('flushed'));
    using agent = disposableAgent();
    const open = await request(library.url + QUERY, agent.keepAlive);
    expect(open.headers.connection).toBe('keep-alive');
    const closed = library.gateway.close();
    const ready = await fetch(`${library.internalUrl}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'draining', checks: { lifecycle: 'draining' } }]);
    const [onOpenConnection, onNewConnection] = [
      await request(library.url + QUERY, agent.keepAlive),
      await request(library.url + QUERY, new Agent()),
    ];
    expect([onOpenConnection.statusCode, onOpenConnection.headers.connection]).toEqual([200, 'close']);
    expect([onNewConnection.statusCode, onNewConnection.headers.connection]).toEqual([200, 'close']);
    expect((await fetch(`${library.url}/health/ready`)).status).toBe(503);
    expect(calls).toEqual([]);
    await closed;
    await expect(fetch(library.url + QUERY)).rejects.toThrow();
    expect(calls).toEqual(['flushed']);
  });

  it('does not wait in the dev profile', async () => {
    await using library = await startLibraryGateway();
    const closed = library.gateway.close();
    expect((await fetch(`${library.internalUrl}/health/ready`).catch(() => undefined))?.status ?? 503).toBe(503);
    await expect(fetch(library.url + QUERY)).rejects.toThrow();
    await closed;
  });
});

function disposableAgent(): { readonly keepAlive: Agent } & Disposable {
  const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
  return { keepAlive, [Symbol.dispose]: () => keepAlive.destroy() };
}
