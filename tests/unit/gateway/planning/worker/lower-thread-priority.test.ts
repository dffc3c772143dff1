import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';

const built = new URL('../../../../../dist/gateway/planning/worker/lower-thread-priority.js', import.meta.url);

const WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readlinkSync } = require('node:fs');
  import(workerData).then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    parentPort.postMessage(readlinkSync('/proc/thread-self').split('/').at(-1));
    setTimeout(() => undefined, 10_000);
  });
`;

// Only Linux has thread priorities.
const onLinux = existsSync('/proc/thread-self') ? it : it.skip;

onLinux('lowers only the priority of the calling thread', async () => {
  const worker = new Worker(WORKER, { eval: true, workerData: built.href, execArgv: [] });
  const [thread] = (await once(worker, 'message')) as [string];
  // Field 19 of the line is the niceness (proc_pid_stat(5)). The process name in parentheses is removed.
  const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  expect(Number(fields[16])).toBe(10);
  expect(getPriority(process.pid)).toBeLessThan(10);
  await worker.terminate();
});
