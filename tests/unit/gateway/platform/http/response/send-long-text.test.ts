import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type Server, createServer } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LongText } from '../../../../../../gateway/platform/long-text.ts';
import { runSteps } from '../../../../../../gateway/platform/run-steps.ts';
import { isLongText, sendLongText } from '../../../../../../gateway/platform/http/response/send-long-text.ts';

const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close().closeAllConnections();
});

async function serve(text: string | LongText): Promise<{ readonly url: string; readonly port: number; readonly closed: Promise<unknown> }> {
  let end: (reason: unknown) => void;
  const closed = new Promise((resolve) => {
    end = resolve;
  });
  const server = createServer((_request, response) => {
    response.on('close', end);
    response.writeHead(200, { 'content-length': typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength });
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

  it.each([
    ['none', 0, 0],
    ['many short ones', 50_000, 7],
    ['some long ones', 5, 700_000],
  ])('in pieces arrives completely: %s', async (_name, count, length) => {
    const pieces = Array.from({ length: count }, (_, index) => `${index}é😀`.repeat(length));
    const text = runSteps(LongText.inSteps(pieces)).enclosed('{', '}');
    expect(isLongText(text)).toBe(true);
    const { url } = await serve(text);
    const received = await (await fetch(url)).text();
    expect(received === `{${pieces.join('')}}`).toBe(true);
    expect(text.toString() === received).toBe(true);
  });

  it.each([
    ['text', 'x'.repeat(50_000_000)],
    ['text in pieces', runSteps(LongText.inSteps(Array.from({ length: 500 }, () => 'x'.repeat(100_000))))],
  ])('is not sent further when the client disconnects: %s', async (_name, text) => {
    const { port, closed } = await serve(text);
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
