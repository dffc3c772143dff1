import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { WorkerMessage } from '../../../../cli/workers/messages.ts';
import { createPrimaryClient } from '../../../../cli/workers/primary-client.ts';
import { eventually } from '../../../support/time/eventually.ts';

/** Creates a client with a clock of the test, and the messages that it has sent. */
function openClient(isConnected = true) {
  const sent: WorkerMessage[] = [];
  let now = 0;
  const client = createPrimaryClient({
    workers: 2,
    clock: { monotonic: () => now },
    send(message) {
      sent.push(message);
      return isConnected;
    },
  });
  return { client, sent, pass: (ms: number) => void (now += ms) };
}

describe('calls of a worker to its primary', () => {
  it('return undefined at once when the primary has ended', async () => {
    const { client } = openClient(false);
    using _closed = client;
    expect(await client.call('take', ['alice'])).toBeUndefined();
  });

  it('return undefined after a timeout, and at once for a while afterwards', async () => {
    const { client, sent, pass } = openClient();
    using _closed = client;
    const late = client.call('take', ['alice']);
    await eventually(() => sent.length === 1);
    pass(1_000);
    expect(await late).toBeUndefined();
    expect(await client.call('take', ['alice'])).toBeUndefined();
    expect(sent).toHaveLength(1);
    pass(1_000);
    void client.call('take', ['alice']);
    await eventually(() => sent.length === 2);
  });

  it('are sent again as soon as the primary responds after a late result', async () => {
    const { client, sent, pass } = openClient();
    using _closed = client;
    const late = client.call('take', ['alice']);
    pass(1_000);
    await late;
    client.receive({ type: 'results', results: [[1, 'too late']] });
    const next = client.call('take', ['bob']);
    await eventually(() => sent.length === 2);
    client.receive({ type: 'results', results: [[2, 'taken']] });
    expect(await next).toBe('taken');
  });

  it('return undefined beyond the maximum number of calls in progress', async () => {
    const { client } = openClient();
    const pending = Array.from({ length: 10_000 }, async () => client.call('take', []));
    expect(await client.call('take', [])).toBeUndefined();
    client[Symbol.dispose]();
    expect(new Set(await Promise.all(pending))).toEqual(new Set([undefined]));
  });

  it('share one message in one turn of the event loop, separate from messages to other workers', async () => {
    const { client, sent } = openClient();
    using _closed = client;
    void client.call('take', ['alice']);
    client.publish('write');
    void client.call('begin', ['bob']);
    await sleep(0);
    await eventually(() => sent.length === 2);
    expect(sent).toEqual([
      { type: 'publish', messages: ['write'] },
      {
        type: 'calls',
        calls: [
          [1, 'take', ['alice']],
          [2, 'begin', ['bob']],
        ],
      },
    ]);
  });

  it('fail while reports are still sent, in the order of the worker', async () => {
    const { client, sent, pass } = openClient();
    using _closed = client;
    const late = client.call('take', ['alice']);
    await eventually(() => sent.length === 1);
    pass(1_000);
    await late;
    expect(await client.call('take', ['alice'])).toBeUndefined();
    client.report('surrender', ['alice', 1]);
    await eventually(() => sent.length === 2);
    expect(sent[1]).toEqual({ type: 'calls', calls: [[0, 'surrender', ['alice', 1]]] });
  });

  it('are not sent when the worker ends before, unlike reports', async () => {
    const { client, sent } = openClient();
    const taken = client.call('take', ['alice']);
    client.report('surrender', ['alice', 1]);
    client[Symbol.dispose]();
    expect(await taken).toBeUndefined();
    expect(sent).toEqual([{ type: 'calls', calls: [[0, 'surrender', ['alice', 1]]] }]);
  });

  it('deliver notices of the primary before the results of the same message', async () => {
    const { client, sent } = openClient();
    using _closed = client;
    const received: unknown[] = [];
    client.onNotice((notice) => received.push(notice));
    const taken = client.call('take', ['alice']).then((value) => received.push(value));
    await eventually(() => sent.length === 1);
    client.receive({ type: 'results', results: [[1, 'taken']], notices: [['revoke', 'alice']] });
    await taken;
    expect(received).toEqual([['revoke', 'alice'], 'taken']);
  });

  it('deliver messages of other workers to all listeners', () => {
    const { client } = openClient();
    using _closed = client;
    const received: unknown[] = [];
    client.subscribe((message) => received.push(['one', message]));
    client.subscribe((message) => received.push(['two', message]));
    client.receive({ type: 'published', messages: ['write'] });
    expect(received).toEqual([
      ['one', 'write'],
      ['two', 'write'],
    ]);
  });
});
