import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UNLIMITED_BUDGETS } from '../../../../gateway/budget/budgets.ts';
import { NO_REQUEST_MEMOS } from '../../../../gateway/http/graphql/request-memos.ts';
import { createGraphqlHandler } from '../../../../gateway/http/graphql/graphql-handler.ts';
import type { OperationRequest } from '../../../../gateway/pipeline/operation-request.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';

describe('createGraphqlHandler with an unexpected error', () => {
  const failure = new TypeError('connect postgres://admin:hunter2@10.0.0.7/db');
  let logged: unknown[][];
  let run: (operation: OperationRequest) => Promise<never>;
  let server: Server;
  let url: string;
  let responded: Promise<void>;

  beforeEach(async () => {
    logged = [];
    const log = (...line: unknown[]) => {
      logged.push(line);
    };
    const handler = createGraphqlHandler({
      pipeline: { execute: (operation: OperationRequest) => run(operation), executeOrSubscribe: (operation) => run(operation) },
      budgets: UNLIMITED_BUDGETS,
      targets: NO_REQUEST_MEMOS,
      sender: { reserveSlot: () => undefined, send: () => Promise.reject(new Error('This test streams no responses.')) },
      challenges: 'Bearer',
      maxBatchedOperations: 0,
      authenticate: async () => ANONYMOUS,
      compress: (response) => response,
      toCachedHttpResponse: () => Promise.reject(new Error('This test caches no responses.')),
      logger: { debug: log, info: log, warn: log, error: log },
      maxBodyBytes: 1_000,
      maxJsonDepth: 64,
    });
    responded = new Promise((resolve, reject) => {
      server = createServer((incoming, response) => void handler(incoming, response, { correlationId: 'id-1' }).then(resolve, reject));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql?query={a}`;
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  it('logs the error with its details and returns a constant message', async () => {
    run = () => Promise.reject(failure);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      errors: [
        {
          message: 'An internal error occurred. Include the request id when you report it.',
          extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: 'id-1' },
        },
      ],
    });
    expect(logged).toEqual([[{ err: failure, correlationId: 'id-1' }, expect.any(String)]]);
  });

  it.each([
    ['another error', () => failure, [[{ err: failure, correlationId: 'id-1' }, expect.any(String)]]],
    ['the abort reason', (signal: AbortSignal) => signal.reason as unknown, []],
  ])('logs only errors other than the abort reason after a client disconnect: %s', async (_case, errorOf, lines) => {
    run = async ({ signal }) => {
      client.destroy();
      await once(signal, 'abort');
      throw errorOf(signal);
    };
    const client = request(url).on('error', () => {});
    client.end();
    await responded;
    expect(logged).toEqual(lines);
  });
});
