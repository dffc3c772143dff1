import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { requestWorker } from '../../../../../gateway/http/primary/request-worker.ts';

it.each(['http://192.0.2.1/health', '//192.0.2.1/health', '/health'])(
  'requests the worker and no other host for the target %s',
  async (target) => {
    const targets: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      targets.push(request.url);
      response.end('ok');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const worker = { number: 1, internalUrl: `http://127.0.0.1:${port}`, isServing: true };
      expect(await requestWorker(worker, { method: 'GET', target, timeoutMs: 5_000 })).toMatchObject({ status: 200, body: 'ok' });
      expect(targets).toEqual([target]);
    } finally {
      server.close();
    }
  },
);

it('returns nothing for a worker that has ended', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  const worker = { number: 1, internalUrl: `http://127.0.0.1:${port}`, isServing: true };
  expect(await requestWorker(worker, { method: 'GET', target: '/health', timeoutMs: 5_000 })).toBeUndefined();
});
