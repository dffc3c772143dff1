import { describe, expect, it } from '@jest/globals';
import { LARGE_BODY_BYTES } from '../../../../gateway/subgraph-client/large-responses.ts';
import type { OperationUsage, SubgraphRequest } from '../../../../gateway/supergraph/subgraph-executor.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { type Behavior, NEVER, REQUEST, responding, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';
import { eventually } from '../../../support/time/eventually.ts';
import { codeOf, respondingSized, textOf } from './large-bodies-server.ts';

const EXCEEDED = 'SUBGRAPH_RESPONSE_LIMIT_EXCEEDED';

/** Settings without retries, so that each request is sent once. */
const once = { retry: { maxRetries: 0 } };

function requestOf(usage: OperationUsage, changes: Partial<SubgraphRequest> = {}): SubgraphRequest {
  return { ...REQUEST, usage, ...changes };
}

/** Responds with as many bytes as the body of the request states, and counts the requests. */
function countingServer(respond: (text: string) => Behavior = responding) {
  const received: string[] = [];
  const behave: Behavior = (request, response, body) => {
    received.push(body);
    respond(textOf(Number(body)))(request, response, body);
  };
  return { received, behave };
}

describe('the limit for the responses of one operation', () => {
  it.each([
    ['small responses', 400, responding],
    ['large responses with a length', LARGE_BODY_BYTES, respondingSized],
    ['large responses without a length', LARGE_BODY_BYTES, responding],
  ])('rejects %s above it, and accepts those that reach it exactly', async (_what, bytes, respond) => {
    const { received, behave } = countingServer(respond);
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...once, maxResponseBytesPerOperation: 2 * bytes } });
    const [usage, other] = [{ responseBytes: 0 }, { responseBytes: 0 }];
    const send = (own: OperationUsage, size: number) => codeOf(subgraph.request(requestOf(own, { body: String(size) }), NEVER));

    expect(await send(usage, bytes)).toBe('answered');
    expect(await send(usage, bytes + 1)).toBe(EXCEEDED);
    expect(await send(usage, bytes)).toBe('answered');
    expect(await send(other, bytes)).toBe('answered');
    expect([usage.responseBytes, other.responseBytes]).toEqual([2 * bytes, bytes]);

    expect(await send(usage, 50)).toBe(EXCEEDED);
    expect(received).toHaveLength(4); // The last query was not sent.
  });

  it.each(['sized', 'chunked'] as const)('stops receiving a %s response as soon as it is known to be too long', async (framing) => {
    let hasClosed = false;
    let sent = 0;
    const behave: Behavior = (request, response) => {
      request.socket.once('close', () => {
        hasClosed = true;
      });
      const length = framing === 'sized' ? { 'content-length': '8000000' } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...length });
      const write = (): void => {
        if (hasClosed || sent >= 4_000_000) return;
        sent += 65_536;
        response.write('x'.repeat(65_536), () => setImmediate(write));
      };
      write();
    };
    await using subgraph = await startFakeSubgraph(behave, {
      settings: { ...once, requestTimeoutMs: 60_000, maxResponseBytesPerOperation: 300_000 },
    });
    expect(await codeOf(subgraph.request(requestOf({ responseBytes: 0 }), NEVER))).toBe(EXCEEDED);
    await eventually(() => hasClosed);
    expect(sent).toBeLessThan(4_000_000);
  });

  it('is eight times the largest response of any subgraph by default', async () => {
    const { behave } = countingServer();
    await using subgraph = await startFakeSubgraph(behave, {
      settings: { ...once, maxResponseBytes: 100, override: { books: { maxResponseBytes: 200 } } },
    });
    const usage = { responseBytes: 1_501 };
    expect(await codeOf(subgraph.request(requestOf(usage, { body: '100' }), NEVER))).toBe(EXCEEDED);
    expect(await codeOf(subgraph.request(requestOf(usage, { body: '99' }), NEVER))).toBe('answered');
  });

  it('states the limit in its message', async () => {
    const { behave } = countingServer();
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...once, maxResponseBytesPerOperation: 123 } });
    await expect(subgraph.request(requestOf({ responseBytes: 123 }), NEVER)).rejects.toMatchObject({
      code: EXCEEDED,
      message: 'The operation needs more than 123 bytes of data from the services behind this gateway. Request fewer objects.',
    });
  });

  it('counts the response of a mutation, but receives it in any case', async () => {
    const { received, behave } = countingServer();
    await using subgraph = await startFakeSubgraph(behave, { settings: { ...once, maxResponseBytesPerOperation: 100 } });
    const usage = { responseBytes: 90 };
    expect(await codeOf(subgraph.request(requestOf(usage, { kind: 'mutation', body: '50' }), NEVER))).toBe('answered');
    expect(await codeOf(subgraph.request(requestOf(usage, { kind: 'mutation', body: '60' }), NEVER))).toBe('answered');
    expect(usage.responseBytes).toBe(200);
    expect(await codeOf(subgraph.request(requestOf(usage, { body: '50' }), NEVER))).toBe(EXCEEDED);
    expect(received).toEqual(['50', '60']);
  });

  it('does not send a query that waited in a queue when the limit was reached', async () => {
    const { received, behave } = countingServer();
    await using subgraph = await startFakeSubgraph(behave, {
      settings: { ...once, bulkhead: { maxConcurrent: 1 }, maxResponseBytesPerOperation: 100 },
    });
    const usage = { responseBytes: 0 };
    const codes = ['100', '50', '50'].map((body) => codeOf(subgraph.request(requestOf(usage, { body }), NEVER)));
    expect(await Promise.all(codes)).toEqual(['answered', EXCEEDED, EXCEEDED]);
    expect(received).toEqual(['100']);
  });

  it('neither retries, nor opens the circuit breaker, nor writes to the log', async () => {
    const { received, behave } = countingServer();
    const lines: unknown[] = [];
    const logger = { ...silentLogger, warn: (facts: unknown) => void lines.push(facts) };
    await using subgraph = await startFakeSubgraph(behave, {
      logger,
      settings: { circuitBreaker: { failures: 1, window: 1 }, maxResponseBytesPerOperation: 100 },
    });
    for (let time = 0; time < 3; time += 1) {
      expect(await codeOf(subgraph.request(requestOf({ responseBytes: 99 }, { body: '50' }), NEVER))).toBe(EXCEEDED);
    }
    expect(await codeOf(subgraph.request(requestOf({ responseBytes: 0 }, { body: '50' }), NEVER))).toBe('answered');
    expect(received).toHaveLength(4);
    expect(lines).toEqual([]);
    expect(await subgraph.countConnections()).toBe(1); // A complete response leaves the connection usable.
  });

  it('applies to each operation that shares a response', async () => {
    const waiting: (() => void)[] = [];
    const behave: Behavior = (request, response, body) => {
      waiting.push(() => responding(textOf(50))(request, response, body));
    };
    await using subgraph = await startFakeSubgraph(behave, {
      settings: { ...once, dedupe: true, maxResponseBytesPerOperation: 100 },
    });
    const usages = [60, 0, 50, 100].map((responseBytes) => ({ responseBytes }));
    const codes = usages.map((usage) => codeOf(subgraph.request(requestOf(usage), NEVER)));
    await eventually(() => waiting.length > 0);
    for (const respond of waiting) respond();
    expect(await Promise.all(codes)).toEqual([EXCEEDED, 'answered', 'answered', EXCEEDED]);
    expect(usages.map(({ responseBytes }) => responseBytes)).toEqual([60, 50, 100, 100]);
    expect(waiting).toHaveLength(1);
  });
});
