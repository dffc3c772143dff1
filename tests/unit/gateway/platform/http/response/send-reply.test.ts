import { createServer, request as send, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type Reply, sendReply } from '../../../../../../gateway/platform/http/response/send-response.ts';

async function headersOf(method: string, reply: Reply): Promise<IncomingHttpHeaders> {
  const server = createServer((request, response) => sendReply(request, response, reply)).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const outgoing = send({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, method, agent: false }).end();
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(response, 'end');
    return response.headers;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('the length of an answer', () => {
  it('given an answer, when asked for by HEAD, then it is that of what GET would send', async () => {
    const reply = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'grüß dich' };
    expect((await headersOf('HEAD', reply))['content-length']).toBe('11');
    expect((await headersOf('GET', reply))['content-length']).toBe('11');
  });

  it('given an answer that has no end, when asked for by HEAD, then there is none, and nothing is said of a body', async () => {
    const headers = await headersOf('HEAD', { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '', isEndless: true });
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream' });
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  it('given an answer without content, when sent, then it has no length', async () => {
    expect(await headersOf('GET', { status: 204, headers: {}, body: '' })).not.toHaveProperty('content-length');
  });
});
