import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createLargeResponses, LARGE_BODY_BYTES, type LargeResponses } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createRandom, type Random } from '../../../support/random/random.ts';
import { type Behavior, NEVER, REQUEST, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

const SEED = Number(process.env['LARGE_BODIES_SEED'] ?? Math.floor(Math.random() * 1_000_000));

type Framing = 'sized' | 'chunked' | 'until the end';

/** Creates a text without repetitions, so that the response body has the given number of bytes. */
function randomText(random: Random, bytes: number): string {
  const letters = ['a', 'é', '字', '😀', '"', '\\', '\n', ' '];
  let text = '';
  while (text.length < 64) text += random.pick(letters);
  const sizeOf = (one: string): number => Buffer.byteLength(JSON.stringify({ data: { text: one } }));
  const missing = bytes - sizeOf(text);
  if (missing <= 0) return text;
  // A random number for every few letters would take most of the time of this file.
  const hash = createHash('shake256', { outputLength: Math.ceil(missing / 2) }).update(String(random.below(4_294_967_296)));
  return text + hash.digest('hex').slice(0, missing);
}

/** Sends a body in chunks of random lengths, some of them in separate turns of the event loop. */
async function sendInPieces(random: Random, response: ServerResponse, body: Buffer, framing: Framing): Promise<void> {
  response.setHeader('content-type', 'application/json');
  if (framing === 'sized') response.setHeader('content-length', body.length);
  if (framing === 'until the end') {
    response.setHeader('connection', 'close');
    response.removeHeader('transfer-encoding');
    response.useChunkedEncodingByDefault = false;
  }
  for (let at = 0; at < body.length; ) {
    const end = Math.min(body.length, at + 1 + random.below(random.chance(0.3) ? 300_000 : 30_000));
    response.write(body.subarray(at, end));
    if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
    at = end;
  }
  response.end();
}

/** Records the bytes that are reserved for each response that has begun, in order, and the maximum for all responses except the first. */
function watchReserved(maxBytes: number) {
  const turns = createLargeResponses({ maxBytes, callerOf: ({ correlationId }) => correlationId });
  const reserved = new Map<unknown, number>();
  const last = new Map<string, number>();
  const most = { ofOthers: 0 };

  function note(response: object, body: string, bytes: number): void {
    reserved.set(response, bytes);
    last.set(body, bytes);
    const [, ...others] = reserved.values();
    most.ofOthers = Math.max(
      most.ofOthers,
      others.reduce((sum, one) => sum + one, 0),
    );
  }

  const largeResponses: LargeResponses = {
    ...turns,
    enter(response) {
      const begin = response.begin.bind(response);
      response.begin = () => {
        note(response, response.request.body, response.bytes);
        begin();
      };
      turns.enter(response);
    },
    grow(response, bytes, proceed) {
      turns.grow(response, bytes, () => {
        note(response, response.request.body, bytes);
        proceed();
      });
    },
    leave(response) {
      reserved.delete(response);
      turns.leave(response);
    },
  };
  return { largeResponses, reserved, last, most };
}

/** Maximum number of bytes that are read at once. @unit bytes */
const READ_BYTES = 65_536;

describe(`random bodies of unknown length, seed ${SEED} (LARGE_BODIES_SEED)`, () => {
  it.each([1, 700_000, 3_000_000])('are counted as they grow and read byte for byte within a limit of %d bytes', async (maxBytes) => {
    const random = createRandom(SEED + maxBytes);
    const sizes = Array.from({ length: 12 }, () => 100_000 + random.below(random.chance(0.3) ? 3_000_000 : 900_000));
    const texts = new Map(sizes.map((bytes, index) => [`${index}`, randomText(random, bytes)]));
    const behave: Behavior = (_request, response, body) => {
      const framing = random.chance(0.5) ? 'chunked' : 'until the end';
      void sendInPieces(random, response, Buffer.from(JSON.stringify({ data: { text: texts.get(body) } })), framing);
    };
    const { largeResponses, reserved, last, most } = watchReserved(maxBytes);
    // Allows all responses to wait for their turns at the same time.
    const settings = { requestTimeoutMs: 60_000, maxConnections: 64, retry: { maxRetries: 0 } };
    await using subgraph = await startFakeSubgraph(behave, { settings, largeResponses });
    const wrong: string[] = [];
    await Promise.all(
      [...texts].map(async ([body, text]) => {
        const context = { ...REQUEST.context, correlationId: random.pick(['a', 'b', 'c']) };
        const result = await subgraph.request({ ...REQUEST, body, context }, NEVER).then(
          ({ data }) => data?.['text'] === text,
          (error: unknown) => String(error),
        );
        if (result !== true) wrong.push(`${sizes[Number(body)]} bytes: ${String(result)}`);
      }),
    );
    expect(wrong).toEqual([]);
    expect(reserved.size).toBe(0);
    expect(most.ofOthers).toBeLessThanOrEqual(maxBytes);
    const uncounted = sizes.filter(
      (bytes, index) => bytes > LARGE_BODY_BYTES + READ_BYTES && (last.get(`${index}`) ?? 0) + READ_BYTES < bytes,
    );
    expect(uncounted).toEqual([]);
  });
});

describe(`random large bodies, seed ${SEED} (LARGE_BODIES_SEED)`, () => {
  it.each<[string, Framing]>([
    ['their length', 'sized'],
    ['chunks', 'chunked'],
    ['the end of the connection', 'until the end'],
  ])('of about 256 KiB that end with %s are read byte for byte, also the second time', async (_what, framing) => {
    const random = createRandom(SEED);
    const sizes = [
      ...[-2, -1, 0, 1, 2].map((more) => LARGE_BODY_BYTES + more),
      ...Array.from({ length: 40 }, () => LARGE_BODY_BYTES - 70_000 + random.below(300_000)),
    ];
    const texts = new Map(sizes.map((bytes, index) => [`${index}`, randomText(random, bytes)]));
    const behave: Behavior = (_request, response, body) =>
      void sendInPieces(random, response, Buffer.from(JSON.stringify({ data: { text: texts.get(body) } })), framing);
    // Allows all responses to wait at the same time: up to half of the connections, and half of the requests, can wait.
    const most = 2 * sizes.length;
    const settings = {
      requestTimeoutMs: 60_000,
      maxLargeResponseBytes: 600_000,
      maxConnections: most,
      bulkhead: { maxConcurrent: most },
    };
    await using subgraph = await startFakeSubgraph(behave, { settings });
    for (const time of ['first', 'second']) {
      const wrong: string[] = [];
      await Promise.all(
        [...texts].map(async ([body, text]) => {
          const result = await subgraph.request({ ...REQUEST, body }, NEVER).then(
            ({ data }) => data?.['text'] === text,
            (error: unknown) => String(error),
          );
          if (result !== true) wrong.push(`${sizes[Number(body)]} bytes: ${String(result)}`);
        }),
      );
      expect({ time, wrong }).toEqual({ time, wrong: [] });
    }
  });
});
