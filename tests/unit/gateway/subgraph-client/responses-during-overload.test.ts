import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { isWorkLimited, limitWorkPerIteration, runWithinLimit } from '../../../../gateway/platform/work-per-iteration.ts';
import { REQUEST, startFakeSubgraph } from '../../../support/subgraphs/fake-subgraph.ts';

const LIMIT_MS = 1;
/** Number of pieces of work that delay a response. Each exceeds the limit of one iteration of the event loop. */
const PIECES = 60;

function occupy(): void {
  const until = performance.now() + 2 * LIMIT_MS;
  while (performance.now() < until);
}

afterEach(() => limitWorkPerIteration(undefined));

it('a response that waits during overload holds no connection, and its caller can leave', async () => {
  const requests: (() => void)[] = [];
  await using subgraph = await startFakeSubgraph(
    (_request, response) => {
      const respond = (): void => void response.setHeader('content-type', 'application/json').end('{"data":{"ok":true}}');
      requests.push(respond);
      if (requests.length === 1) respond();
    },
    { settings: { maxConnections: 1, dedupe: false } },
  );
  limitWorkPerIteration(LIMIT_MS);
  for (let piece = 0; piece < PIECES; piece += 1) runWithinLimit(occupy);
  const leaving = new AbortController();
  const first = subgraph.request(REQUEST, leaving.signal).catch((error: unknown) => error);
  const second = subgraph.request(REQUEST, new AbortController().signal);
  while (requests.length < 2) await nextIteration();
  const left = new Error('The client has left.');
  leaving.abort(left);
  requests[1]?.();
  expect(isWorkLimited()).toBe(true);
  expect(await first).toBe(left);
  expect(await second).toMatchObject({ data: { ok: true } });
});
