import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createGraphqlHandler } from '../../../../gateway/http/graphql-handler.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';

describe('createGraphqlHandler, when something fails that nobody foresaw', () => {
  it('given an error with internals in it, when it reaches the door, then it is logged and the client reads a constant text', async () => {
    const logged: unknown[][] = [];
    const log = (...line: unknown[]) => {
      logged.push(line);
    };
    const failure = new TypeError('connect postgres://admin:hunter2@10.0.0.7/db');
    const handler = createGraphqlHandler({
      pipeline: { run: (): Promise<never> => Promise.reject(failure) },
      authenticate: async () => ANONYMOUS,
      logger: { debug: log, info: log, warn: log, error: log },
      maxBodyBytes: 1_000,
      maxJsonDepth: 64,
    });
    const server = createServer((request, response) => void handler(request, response, 'id-1'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql?query={a}`);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      errors: [
        {
          message: 'Something went wrong on our side. Quote the request id when you report it.',
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'id-1' },
        },
      ],
    });
    expect(logged).toEqual([[{ err: failure, correlationId: 'id-1' }, expect.any(String)]]);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
});
