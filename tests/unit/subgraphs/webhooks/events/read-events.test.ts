import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createGatewayClient, type StreamItem } from '../../../../../subgraphs/webhooks/events/read-events.ts';

async function readAll(text: string): Promise<readonly StreamItem[]> {
  const server = createServer((_, response) => void response.setHeader('content-type', 'text/event-stream').end(text));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await using client = createGatewayClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const items: StreamItem[] = [];
  const question = { text: 'subscription { changed }', lastEventId: undefined, token: 'token' };
  for await (const item of client.read(question, new AbortController().signal)) items.push(item);
  server.close();
  return items;
}

test('only an event with its own ID has an ID, and `~` or no ID is undefined', async () => {
  const items = await readAll(
    [
      'event: next\ndata: {"data":{"changed":1}}',
      'event: next\nid: e2\ndata: {"data":{"changed":2}}',
      'event: next\nid: ~\ndata: {"data":{"changed":3}}',
      'event: complete\ndata:',
    ]
      .map((message) => `${message}\n\n`)
      .join(''),
  );
  expect(items).toEqual([
    { kind: 'event', id: undefined, data: { changed: 1 }, codes: [] },
    { kind: 'event', id: 'e2', data: { changed: 2 }, codes: [] },
    { kind: 'event', id: undefined, data: { changed: 3 }, codes: [] },
  ]);
});
