import { createServer, request as send, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { LongText } from '../../../../../../gateway/platform/long-text.ts';
import { runSteps } from '../../../../../../gateway/platform/run-steps.ts';
import { type HttpResponse, sendResponse } from '../../../../../../gateway/platform/http/response/send-response.ts';

async function headersOf(method: string, httpResponse: HttpResponse): Promise<IncomingHttpHeaders> {
  const server = createServer((request, response) => sendResponse(request, response, httpResponse)).listen(0, '127.0.0.1');
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

describe('the length of a response', () => {
  it('is the same for HEAD and GET', async () => {
    const response = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'grüß dich' };
    expect((await headersOf('HEAD', response))['content-length']).toBe('11');
    expect((await headersOf('GET', response))['content-length']).toBe('11');
  });

  it('is that of a body in pieces', async () => {
    const longBody = runSteps(LongText.inSteps(['grüß', ' dich']));
    const response = { status: 200, headers: { 'content-type': 'text/plain' }, body: longBody.toString(), longBody };
    expect((await headersOf('HEAD', response))['content-length']).toBe('11');
    expect((await headersOf('GET', response))['content-length']).toBe('11');
  });

  it('is absent for HEAD on a stream, as are headers about a body', async () => {
    const headers = await headersOf('HEAD', { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '', isEndless: true });
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream' });
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  it('is absent for a response without content', async () => {
    expect(await headersOf('GET', { status: 204, headers: {}, body: '' })).not.toHaveProperty('content-length');
  });
});
