import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type Server, createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isLongText, sendLongText } from '../../../../../../gateway/platform/http/response/send-long-text.ts';

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections();
});

async function serve(text: string): Promise<{ readonly url: string; readonly port: number; readonly closed: Promise<unknown> }> {
  let end: (reason: unknown) => void;
  const closed = new Promise((resolve) => {
    end = resolve;
  });
  const server = createServer((_request, response) => {
    response.on('close', end);
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
    sendLongText(response, text);
  });
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, closed };
}

describe('a long text', () => {
  it.each([
    ['ASCII characters', 'abc '.repeat(700_000)],
    ['characters of several bytes', 'aé€'.repeat(500_000)],
    ['characters of two code units, at odd positions', `x${'😀'.repeat(600_000)}`],
    ['characters of two code units, at even positions', '😀'.repeat(600_000)],
  ])('with %s arrives completely', async (_name, text) => {
    expect(isLongText(text)).toBe(true);
    const { url } = await serve(text);
    const received = await (await fetch(url)).text();
    expect(received === text).toBe(true);
  });

  it('is not sent further when the client disconnects', async () => {
    const { port, closed } = await serve('x'.repeat(50_000_000));
    const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    await once(client, 'data');
    client.destroy();
    await closed;
  });

  it('is one of more than a mebibyte', () => {
    expect(isLongText('x'.repeat(1_048_575))).toBe(false);
    expect(isLongText(Buffer.alloc(2_000_000))).toBe(false);
  });
});
