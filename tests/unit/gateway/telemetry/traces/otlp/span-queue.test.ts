import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { SpanBatch } from '../../../../../../gateway/telemetry/traces/otlp/span-buffer.ts';
import { SpanQueue, type SpanQueueOptions } from '../../../../../../gateway/telemetry/traces/otlp/span-queue.ts';
import { SpanContent, SpanPosition } from '../../../../../../gateway/telemetry/traces/span-writer.ts';
import { readSpans } from '../../../../../support/otlp/read-spans.ts';

const CONTENT = new SpanContent({ name: 'query', kind: 'server', attributes: {}, isError: false });
const DELAY_MS = 5_000;
const TIMEOUT_MS = 30_000;

/** A collector whose responses a test gives. */
function start(options: Partial<SpanQueueOptions> = {}) {
  const received: number[][] = [];
  const pending: PromiseWithResolvers<void>[] = [];
  let isClosed = false;
  const queue = new SpanQueue({
    serviceName: 'shop',
    maxQueuedSpans: 100,
    maxBatch: 3,
    delayMs: DELAY_MS,
    timeoutMs: TIMEOUT_MS,
    send({ body }: SpanBatch) {
      received.push(readSpans(body).spans.map(({ spanId }) => Number.parseInt(spanId.slice(8), 16)));
      const response = deferred();
      pending.push(response);
      return response.promise;
    },
    close() {
      isClosed = true;
      return Promise.resolve();
    },
    ...options,
  });
  let count = 0;
  return {
    queue,
    received,
    isClosed: () => isClosed,
    write(spans: number): void {
      for (let index = 0; index < spans; index += 1)
        queue.write(CONTENT, Object.assign(new SpanPosition(), { traceId: 'a'.repeat(32), idLow: ++count }));
    },
    async respond(error?: Error): Promise<void> {
      const response = pending.shift();
      if (error === undefined) response?.resolve();
      else response?.reject(error);
      await jest.advanceTimersByTimeAsync(0);
    },
  };
}

interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function deferred(): PromiseWithResolvers<void> {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

const warnings: string[] = [];
beforeEach(() => {
  jest.useFakeTimers();
  const note = (text: string): void => void warnings.push(text.startsWith('{') ? (JSON.parse(text) as Error).message : text);
  diag.setLogger({ error: note, warn: note, info: () => undefined, debug: () => undefined, verbose: () => undefined }, DiagLogLevel.WARN);
});
afterEach(() => {
  jest.useRealTimers();
  diag.disable();
  warnings.length = 0;
});

describe('the queue of spans', () => {
  it('drops spans when too many wait, and says how many', async () => {
    const { write, received, respond } = start({ maxQueuedSpans: 4 });
    write(3);
    write(6);
    expect(received).toEqual([[1, 2, 3]]);
    await respond();
    expect(received).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    write(1);
    expect(warnings).toEqual(['Dropped 2 spans because maxQueueSize reached']);
    await respond();
    await jest.advanceTimersByTimeAsync(DELAY_MS);
    expect(received.at(-1)).toEqual([7, 10]);
  });

  it('goes on after a batch that a collector has rejected or not responded to', async () => {
    const { write, received, respond } = start();
    write(6);
    await respond(new Error('no collector'));
    expect(warnings).toEqual(['no collector']);
    expect(received).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    write(3);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(warnings).toEqual(['no collector', 'Timeout']);
    expect(received.at(-1)).toEqual([7, 8, 9]);
  });

  it('sends a batch that is not full after the delay', async () => {
    const { write, received } = start();
    write(2);
    await jest.advanceTimersByTimeAsync(DELAY_MS - 1);
    expect(received).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(received).toEqual([[1, 2]]);
  });

  it('sends one batch at a time, and begins the delay after it', async () => {
    const { write, received, respond } = start();
    write(4);
    await jest.advanceTimersByTimeAsync(DELAY_MS * 2);
    expect(received).toEqual([[1, 2, 3]]);
    await respond();
    await jest.advanceTimersByTimeAsync(DELAY_MS - 1);
    expect(received).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(received.at(-1)).toEqual([4]);
  });

  it('sends all spans when it is closed, and receives none afterwards', async () => {
    const { queue, write, received, respond, isClosed } = start();
    write(7);
    const closing = queue[Symbol.asyncDispose]();
    expect(received).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(isClosed()).toBe(false);
    write(1);
    await respond();
    await respond(new Error('no collector'));
    await respond();
    await closing;
    expect(isClosed()).toBe(true);
    await jest.advanceTimersByTimeAsync(DELAY_MS);
    expect(received).toHaveLength(3);
  });

  it('does not change the body of a batch that is being sent', async () => {
    const bodies: Buffer[] = [];
    const { write } = start({
      send({ body }) {
        bodies.push(body);
        return new Promise(() => undefined);
      },
    });
    write(6);
    await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
    write(6);
    expect(bodies.map((body) => readSpans(body).spans.length)).toEqual([3, 3]);
    expect(readSpans(bodies[0] ?? Buffer.alloc(0)).spans.map(({ spanId }) => spanId.slice(-1))).toEqual(['1', '2', '3']);
  });
});
