import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serialize } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPlannerHost, type PlannerHostOptions } from '../../../../../gateway/planning/worker/create-planner-host.ts';
import type { PlannerHost } from '../../../../../gateway/planning/worker/planner-host.ts';
import { type SpareThread, createSpareThread } from '../../../../../gateway/planning/worker/spare-thread.ts';
import type { ThreadResponse } from '../../../../../gateway/planning/worker/thread-messages.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { storefrontSdl } from '../../../../fixtures/storefront/storefront.ts';

const SCRIPTED = new URL('../../../../support/planning/scripted-planner.js', import.meta.url);
const INTERRUPTIBLE = new URL('../../../../support/planning/interruptible-planner.js', import.meta.url);

/** Index of scripted supergraphs, which the scripted planner does not read. */
const INDEX = serialize({});

/** Length from which the thread that has read a supergraph is not passed on. */
const LONG = 200_000;

/** Failures of a thread that opens another supergraph, with the names of supergraphs that cause them. */
const FAILING: readonly (readonly [failure: string, name: string])[] = [
  ['ends', 'ends when reused'],
  ['rejects the supergraph', 'unusable when reused'],
];

const sdl = storefrontSdl();
const renamed = sdl.replace('  me: Account', '  self: Account');
/** It is sent to a thread in several messages. */
const long = `${sdl}\n${'# A comment that makes the supergraph long.\n'.repeat(LONG / 10)}`;

interface RecordingSpare extends SpareThread {
  readonly offered: readonly Worker[];
  readonly taken: readonly Worker[];
}

let directory = '';
let spare: RecordingSpare;
const hosts: PlannerHost[] = [];
/** Threads that have opened a supergraph, once for each. */
let ready: Worker[] = [];

beforeEach(() => {
  ready = [];
  process.on('worker', recordReady);
  directory = mkdtempSync(join(tmpdir(), 'handed-over-'));
  spare = recordingSpare();
});

afterEach(async () => {
  process.off('worker', recordReady);
  await Promise.all(hosts.splice(0).map((host) => host[Symbol.asyncDispose]()));
  await spare[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

function recordReady(worker: Worker): void {
  worker.on('message', ({ kind }: ThreadResponse) => (kind === 'ready' ? ready.push(worker) : undefined));
}

/** Records the threads that are passed on. */
function recordingSpare(): RecordingSpare {
  const inner = createSpareThread({ logger: silentLogger });
  const [offered, taken]: [Worker[], Worker[]] = [[], []];
  return {
    offered,
    taken,
    join: (onOffered) => inner.join(onOffered),
    get planners() {
      return inner.planners;
    },
    offer(idle) {
      offered.push(idle.worker);
      return inner.offer(idle);
    },
    take(kind) {
      const idle = inner.take(kind);
      if (idle !== undefined) taken.push(idle.worker);
      return idle;
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

function newHost(options: Partial<PlannerHostOptions> & Pick<PlannerHostOptions, 'sdl'>): PlannerHost {
  const host = createPlannerHost({ logger: silentLogger, renewAfterMs: 20, spareThread: spare, ...options });
  hosts.push(host);
  return host;
}

/** Opens a host with the scripted planner and an index. */
function newScripted(name: string, options: Partial<PlannerHostOptions> = {}): PlannerHost {
  return newHost({ sdl: fileOf(name), plannerModule: SCRIPTED, index: INDEX, ...options });
}

/** Opens a host with the planner of this package, which creates the index. */
function newIndexing(text: string, options: Partial<PlannerHostOptions> = {}): PlannerHost {
  return newHost({ sdl: text, plannerModule: INTERRUPTIBLE, indexing: { hasAuthentication: true }, ...options });
}

/** Returns the file that records the starts of a scripted planner. */
function fileOf(name: string): string {
  const file = join(directory, name);
  writeFileSync(file, '');
  return file;
}

function startsOf(name: string): number {
  return readFileSync(join(directory, name), 'utf8').split('\n').length - 1;
}

/** Plans an operation. @returns the subgraphs of the plan */
async function plan(host: PlannerHost, document: string, operationName?: string): Promise<readonly string[]> {
  const named = operationName === undefined ? {} : { operationName };
  const { fetches } = await host.plan({ document, ...named, conditions: {}, labels: [] });
  return fetches.map(({ subgraph }) => subgraph);
}

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let count = 0; count < 500 && !holds(); count += 1) await pause(10);
  expect(holds()).toBe(true);
}

async function close(host: PlannerHost): Promise<void> {
  await host[Symbol.asyncDispose]();
}

/** Opens and closes a planner whose thread becomes the spare one. @returns the name of the thread */
async function offerThread(): Promise<readonly string[]> {
  const host = newScripted('first');
  const name = await plan(host, 'thread');
  await close(host);
  expect(spare.offered).toHaveLength(1);
  return name;
}

describe('a planner that is closed', () => {
  it('terminates a thread that plans', async () => {
    const host = newScripted('first');
    await plan(host, 'a');
    const running = plan(host, 'forever').catch(() => 'rejected');
    await close(host);
    expect([await running, spare.offered]).toEqual(['rejected', []]);
  });

  it('terminates a thread that is not ready, and one that has planned nothing', async () => {
    await close(newScripted('first'));
    const host = newScripted('second');
    await host.ready;
    await close(host);
    expect(spare.offered).toEqual([]);
  });

  it('terminates a thread that has read a long supergraph', async () => {
    const host = newIndexing(long, { renewAfterMs: 60_000 });
    await plan(host, '{ me { name } }');
    await close(host);
    expect(spare.offered).toEqual([]);
  });

  it('terminates a thread without an index, which has read the supergraph as a whole', async () => {
    const host = newScripted('first', { index: undefined });
    await plan(host, 'a');
    await close(host);
    expect(spare.offered).toEqual([]);
  });

  it('passes on the thread that replaced one with a long supergraph', async () => {
    const host = newIndexing(long);
    await plan(host, '{ me { name } }');
    await until(() => ready.length === 2);
    await close(host);
    expect(spare.offered).toEqual([ready[1]]);
  });

  it('passes on a thread that has indexed a short supergraph', async () => {
    const host = newIndexing(sdl);
    await plan(host, '{ me { name } }');
    await close(host);
    expect(spare.offered).toHaveLength(1);
  });

  it('does not prevent the exit of an idle process', async () => {
    const moduleOf = (name: string): string =>
      JSON.stringify(new URL(`../../../../../dist/gateway/planning/worker/${name}.js`, import.meta.url).href);
    const script = `
      const { createPlannerHost } = await import(${moduleOf('create-planner-host')});
      const { createSpareThread } = await import(${moduleOf('spare-thread')});
      const spareThread = createSpareThread({ logger: console });
      const options = { index: new Uint8Array(${JSON.stringify([...INDEX])}), plannerModule: new URL(${JSON.stringify(SCRIPTED.href)}) };
      const planner = createPlannerHost({ sdl: ${JSON.stringify(fileOf('first'))}, logger: console, spareThread, ...options });
      await planner.plan({ document: 'a', conditions: {}, labels: [] });
      process.on('exit', () => console.log(spareThread.take(JSON.stringify([options.plannerModule.href, 512])) !== undefined));
      await planner[Symbol.asyncDispose]();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
    expect(stdout).toBe('true\n');
  });
});

describe('a planner that starts while there is a spare thread', () => {
  it.each(FAILING)('starts a new thread when the spare one %s', async (_failure, name) => {
    const first = await offerThread();
    const host = newScripted(name);
    const second = await plan(host, 'thread');
    expect(second).not.toEqual(first);
    expect([spare.taken.length, startsOf(name)]).toEqual([1, 1]);
  });

  it.each<[string, Partial<PlannerHostOptions>]>([
    ['another heap', { maxHeapMb: 256 }],
    ['no index', { index: undefined }],
    ['an index to create', { index: undefined, indexing: { hasAuthentication: true }, sdl, plannerModule: INTERRUPTIBLE }],
  ])('does not use it with %s', async (_name, options) => {
    await offerThread();
    await newScripted('second', { renewAfterMs: 60_000, ...options }).ready;
    expect(spare.taken).toEqual([]);
  });

  it('plans in it, also operations that arrived before it was ready', async () => {
    const first = await offerThread();
    const host = newScripted('second');
    await expect(Promise.all([plan(host, 'thread'), plan(host, 'a')])).resolves.toEqual([first, ['a']]);
    expect([startsOf('first'), startsOf('second')]).toEqual([1, 1]);
    await close(host);
    expect(spare.offered).toEqual([spare.taken[0], spare.taken[0]]);
  });

  it('restarts with its supergraph and its index after a plan that took too long', async () => {
    const old = newIndexing(sdl);
    await plan(old, '{ me { name } }');
    await close(old);
    const creating = newIndexing(renamed, { renewAfterMs: 60_000 });
    const index = (await creating.ready)?.planning;
    const host = newHost({ sdl: renamed, plannerModule: INTERRUPTIBLE, index, planTimeoutMs: 2_000 });
    await expect(plan(host, '{ self { name } }')).resolves.toEqual(['accounts']);
    expect(spare.taken).toHaveLength(1);
    await expect(plan(host, 'query Forever { self { name } }', 'Forever')).rejects.toThrow('takes too long to plan');
    await expect(plan(host, '{ self { id } }')).resolves.toEqual(['accounts']);
    await expect(plan(host, '{ me { id } }')).rejects.toThrow();
  });
});

describe('a planner whose predecessor is closed after its start', () => {
  it.each(FAILING)('continues with its thread when that of the predecessor %s', async (_failure, name) => {
    const old = newScripted('first');
    const host = newScripted(name);
    const [own] = await Promise.all([plan(host, 'thread'), plan(old, 'a')]);
    await close(old);
    await until(() => spare.taken[0]?.threadId === -1);
    await expect(plan(host, 'thread')).resolves.toEqual(own);
    expect(startsOf(name)).toBe(1);
  });

  it('releases the memory with a new thread when the predecessor is used for longer', async () => {
    const old = newScripted('first');
    const host = newIndexing(long);
    await Promise.all([plan(old, 'a'), plan(host, '{ me { name } }')]);
    await until(() => ready.length === 3);
    await close(host);
    expect([spare.taken, spare.offered]).toEqual([[], [ready[2]]]);
  });

  it('plans in the thread of the predecessor, with the fields of its supergraph', async () => {
    const old = newIndexing(sdl);
    await expect(plan(old, '{ me { name } }')).resolves.toEqual(['accounts']);
    const host = newIndexing(renamed);
    await expect(plan(host, '{ self { name } }')).resolves.toEqual(['accounts']);
    await close(old);
    await until(() => ready.length === 3);
    expect(ready).toEqual([ready[0], ready[1], ready[0]]);
    await expect(plan(host, '{ self { id name } }')).resolves.toEqual(['accounts']);
    await expect(plan(host, '{ me { name } }')).rejects.toThrow();
    await close(host);
    expect(spare.offered).toEqual([ready[0], ready[0]]);
  });

  it('replaces its thread at the usual time when the predecessor was closed before', async () => {
    const old = newScripted('first');
    const host = newScripted('second', { renewAfterMs: 300 });
    const [name] = await Promise.all([plan(old, 'thread'), plan(host, 'a')]);
    await close(old);
    expect(spare.taken).toEqual([]);
    await until(() => spare.taken.length === 1);
    await until(() => ready.length === 3);
    await expect(plan(host, 'thread')).resolves.toEqual(name);
  });
});
