import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createLargeResponses, LARGE_BODY_BYTES, type LargeResponses } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createRandom, type Random } from '../../../support/random/random.ts';
import { type Behaviour, NEVER, REQUEST, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

const SEED = Number(process.env['LARGE_BODIES_SEED'] ?? Math.floor(Math.random() * 1_000_000));

type Framing = 'sized' | 'chunked' | 'until the end';

/** Text in which each place is different, of so many bytes as the body of a response. */
function randomText(random: Random, bytes: number): string {
  const letters = ['a', 'é', '字', '😀', '"', '\\', '\n', ' '];
  let text = '';
  while (text.length < 64) text += random.pick(letters);
  const sizeOf = (one: string): number => Buffer.byteLength(JSON.stringify({ data: { text: one } }));
  const missing = bytes - sizeOf(text);
  if (missing <= 0) return text;
  // A number for each few letters would take most of the time of this file.
  const hash = createHash('shake256', { outputLength: Math.ceil(missing / 2) }).update(String(random.below(4_294_967_296)));
  return text + hash.digest('hex').slice(0, missing);
}

/** Sends a body in pieces of any length, some of them in turns of their own. */
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

/** What is reserved for each response whose turn has come, in the order of the turns, and the most that came together of all but the first. */
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

/** The most that is read at once. @unit bytes */
const READ_BYTES = 65_536;

describe(`bodies of unknown length by chance, seed ${SEED} (LARGE_BODIES_SEED)`, () => {
  it.each([1, 700_000, 3_000_000])(
    'given a bound of %d bytes, when several bodies come at a time, then each is counted as it grows, and all are read byte for byte',
    async (maxBytes) => {
      const random = createRandom(SEED + maxBytes);
      const sizes = Array.from({ length: 12 }, () => 100_000 + random.below(random.chance(0.3) ? 3_000_000 : 900_000));
      const texts = new Map(sizes.map((bytes, index) => [`${index}`, randomText(random, bytes)]));
      const behave: Behaviour = (_request, response, body) => {
        const framing = random.chance(0.5) ? 'chunked' : 'until the end';
        void sendInPieces(random, response, Buffer.from(JSON.stringify({ data: { text: texts.get(body) } })), framing);
      };
      const { largeResponses, reserved, last, most } = watchReserved(maxBytes);
      // All may wait for their turn at a time.
      const settings = { requestTimeoutMs: 60_000, maxConnections: 64, retry: { maxRetries: 0 } };
      await using subgraph = await startFakeSubgraph(behave, { settings, largeResponses });
      const wrong: string[] = [];
      await Promise.all(
        [...texts].map(async ([body, text]) => {
          const context = { ...REQUEST.context, correlationId: random.pick(['a', 'b', 'c']) };
          const outcome = await subgraph.ask({ ...REQUEST, body, context }, NEVER).then(
            ({ data }) => data?.['text'] === text,
            (error: unknown) => String(error),
          );
          if (outcome !== true) wrong.push(`${sizes[Number(body)]} bytes: ${String(outcome)}`);
        }),
      );
      expect(wrong).toEqual([]);
      expect(reserved.size).toBe(0);
      expect(most.ofOthers).toBeLessThanOrEqual(maxBytes);
      const uncounted = sizes.filter(
        (bytes, index) => bytes > LARGE_BODY_BYTES + READ_BYTES && (last.get(`${index}`) ?? 0) + READ_BYTES < bytes,
      );
      expect(uncounted).toEqual([]);
    },
  );
});

describe(`large bodies by chance, seed ${SEED} (LARGE_BODIES_SEED)`, () => {
  it.each<[string, Framing]>([
    ['their length', 'sized'],
    ['chunks', 'chunked'],
    ['the end of the connection', 'until the end'],
  ])(
    'given bodies of about 256 KiB whose end is told by %s, when several wait at a time, then each is read byte for byte, also when it is asked for again',
    async (_what, framing) => {
      const random = createRandom(SEED);
      const sizes = [
        ...[-2, -1, 0, 1, 2].map((more) => LARGE_BODY_BYTES + more),
        ...Array.from({ length: 40 }, () => LARGE_BODY_BYTES - 70_000 + random.below(300_000)),
      ];
      const texts = new Map(sizes.map((bytes, index) => [`${index}`, randomText(random, bytes)]));
      const behave: Behaviour = (_request, response, body) =>
        void sendInPieces(random, response, Buffer.from(JSON.stringify({ data: { text: texts.get(body) } })), framing);
      // All may wait for their turn at a time: as many may as half of the connections, and of the requests.
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
            const outcome = await subgraph.ask({ ...REQUEST, body }, NEVER).then(
              ({ data }) => data?.['text'] === text,
              (error: unknown) => String(error),
            );
            if (outcome !== true) wrong.push(`${sizes[Number(body)]} bytes: ${String(outcome)}`);
          }),
        );
        expect({ time, wrong }).toEqual({ time, wrong: [] });
      }
    },
  );
});
