import { describe, expect, it } from '@jest/globals';
import type { PrimaryMessage, WorkerMessage } from '../../../../cli/workers/messages.ts';
import { createWorkerPool, type WorkerPool } from '../../../../cli/workers/worker-pool.ts';
import type { WorkerExit } from '../../../../cli/workers/worker-process.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';

interface FakeProcess {
  readonly sent: PrimaryMessage[];
  isKilled: boolean;
  emit(message: WorkerMessage): void;
  end(exit: Partial<WorkerExit>): void;
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function openPool(count: number) {
  const processes: FakeProcess[] = [];
  const runCalls: string[] = [];
  const later: { readonly run: () => void; readonly delayMs: number }[] = [];
  let now = 0;
  const pool: WorkerPool = createWorkerPool({
    count,
    fork() {
      let onMessage: (message: WorkerMessage) => void = () => {};
      let onExit: (exit: WorkerExit) => void = () => {};
      const fake: FakeProcess = {
        sent: [],
        isKilled: false,
        emit: (message) => onMessage(message),
        end: (exit) => onExit({ code: null, signal: null, ...exit }),
      };
      processes.push(fake);
      return {
        pid: processes.length,
        send: (message) => void fake.sent.push(message),
        kill: () => void (fake.isKilled = true),
        onMessage: (listener) => void (onMessage = listener),
        onExit: (listener) => void (onExit = listener),
      };
    },
    stopTimeoutMs: 60_000,
    openSession: () => ({
      run: (name) => (runCalls.push(name), 'done'),
      end: () => void runCalls.push('end'),
    }),
    maintenance: () => undefined,
    onReady: async () => {},
    onStop: async () => {},
    onEnd: () => {},
    clock: { monotonic: () => now },
    schedule(run, delayMs) {
      const one = { run, delayMs };
      later.push(one);
      return () => void later.splice(later.indexOf(one), later.includes(one) ? 1 : 0);
    },
    logger: silentLogger,
  });
  const ready = async (index: number): Promise<void> => {
    processes[index]?.emit({ type: 'join' });
    processes[index]?.emit({ type: 'ready', url: 'http://public', internalUrl: `http://worker-${index}` });
    await turn();
  };
  const runLater = (): readonly number[] => later.splice(0).map(({ run, delayMs }) => (run(), delayMs));
  const startBoth = async (): Promise<void> => {
    const started = pool.start();
    await ready(0);
    runLater();
    await ready(1);
    await started;
  };
  return { pool, processes, runCalls, later, ready, runLater, startBoth, pass: (ms: number) => void (now += ms) };
}

describe('workers that do not start', () => {
  it('fail with the exit code of the first one, which has printed the reason, and start no other', async () => {
    const { pool, processes } = openPool(2);
    const started = pool.start();
    processes[0]?.end({ code: 2 });
    await expect(started).rejects.toMatchObject({ name: 'CommandFailed', exitCode: 2 });
    expect(processes).toHaveLength(1);
  });

  it('fail after five attempts with growing delays when they crash', async () => {
    const { pool, processes, runLater } = openPool(2);
    const started = pool.start();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      processes[attempt]?.end({ signal: 'SIGSEGV' });
      delays.push(...runLater());
    }
    await expect(started).rejects.toThrow('5 worker processes in a row ended before they served, the last one by the signal SIGSEGV.');
    expect(delays).toEqual([100, 200, 400, 800]);
  });
});

describe('two workers', () => {
  it('replace a crashed worker with growing delays, and begin again after a stable time', async () => {
    const { processes, startBoth, ready, runLater, pass } = openPool(2);
    await startBoth();
    processes[0]?.end({ signal: 'SIGKILL' });
    expect(runLater()).toEqual([100]);
    await ready(2);
    processes[2]?.end({ code: 1 });
    expect(runLater()).toEqual([200]);
    await ready(3);
    pass(10_000);
    processes[3]?.end({ code: 1 });
    expect(runLater()).toEqual([100]);
  });

  it('run the calls of a worker until it has ended, and no late ones', async () => {
    const { processes, runCalls, startBoth } = openPool(2);
    await startBoth();
    processes[1]?.emit({ type: 'calls', calls: [[1, 'take', []]] });
    await turn();
    expect(processes[1]?.sent.at(-1)).toEqual({ type: 'results', results: [[1, 'done']] });
    processes[1]?.end({ signal: 'SIGKILL' });
    processes[1]?.emit({ type: 'calls', calls: [[0, 'surrender', []]] });
    expect(runCalls).toEqual(['take', 'end']);
  });

  it('restart one after another: the new one is ready before the old one is stopped', async () => {
    const { pool, processes, startBoth, ready } = openPool(2);
    await startBoth();
    const restarted = pool.restart();
    await turn();
    expect(processes).toHaveLength(3);
    expect(processes[0]?.sent.map(({ type }) => type)).toEqual(['start']);
    await ready(2);
    expect(processes[0]?.sent.map(({ type }) => type)).toEqual(['start', 'stop']);
    expect(processes).toHaveLength(3);
    processes[0]?.end({ code: 0 });
    await turn();
    await ready(3);
    processes[1]?.end({ code: 0 });
    await restarted;
    expect(pool.endpoints()).toEqual([
      { number: 3, internalUrl: 'http://worker-2', isServing: true },
      { number: 1, internalUrl: 'http://worker-3', isServing: true },
    ]);
    expect(pool.replacements).toBe(0);
  });

  it('continue when the new worker of a restart does not become ready', async () => {
    const { pool, processes, startBoth, later } = openPool(2);
    await startBoth();
    const restarted = pool.restart();
    await turn();
    processes[2]?.end({ code: 2 });
    await restarted;
    expect(later).toEqual([]);
    expect(pool.endpoints().map(({ number, isServing }) => [number, isServing])).toEqual([
      [1, true],
      [2, true],
    ]);
  });

  it('are killed when they do not end in time after a stop', async () => {
    const { pool, processes, startBoth, runLater } = openPool(2);
    await startBoth();
    const stopped = pool.stop();
    await turn();
    processes[1]?.end({ code: 0 });
    await turn();
    expect(runLater()).toEqual([60_000]);
    expect([processes[0]?.isKilled, processes[1]?.isKilled]).toEqual([true, false]);
    processes[0]?.end({ signal: 'SIGKILL' });
    await stopped;
  });
});
