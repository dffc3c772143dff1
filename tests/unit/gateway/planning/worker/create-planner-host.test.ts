import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OperationRejected } from '../../../../../gateway/operation/operation-rejected.ts';
import { OperationUnplannable } from '../../../../../gateway/planning/query-planner.ts';
import type { PlanInput } from '../../../../../gateway/planning/query-planner.ts';
import { createPlannerHost, type PlannerHostOptions } from '../../../../../gateway/planning/worker/create-planner-host.ts';
import type { PlannerHost } from '../../../../../gateway/planning/worker/planner-host.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';

const SCRIPTED = new URL('../../../../support/planning/scripted-planner.js', import.meta.url);

let directory = '';
let starts = '';
const hosts: PlannerHost[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'planner-host-'));
  starts = join(directory, 'starts');
  writeFileSync(starts, '');
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host[Symbol.asyncDispose]()));
  rmSync(directory, { recursive: true });
});

function newHost(options: Partial<PlannerHostOptions> = {}): PlannerHost {
  const host = createPlannerHost({ sdl: starts, logger: silentLogger, plannerModule: SCRIPTED, ...options });
  hosts.push(host);
  return host;
}

function requested(document: string, more: Partial<PlanInput> = {}): PlanInput {
  return { document, conditions: {}, labels: [], ...more };
}

function startCount(): number {
  return readFileSync(starts, 'utf8').split('\n').length - 1;
}

describe('createPlannerHost, with failures', () => {
  it('rejects a plan that takes too long permanently and plans the waiting operations', async () => {
    const host = newHost({ planTimeoutMs: 100 });
    const [slow, ...others] = await Promise.allSettled(
      [requested('forever'), requested('a'), requested('b')].map((input) => host.plan(input)),
    );
    expect(slow).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'GRAPHQL_VALIDATION_FAILED',
        message: 'The operation takes too long to plan. Simplify it or split it into several operations.',
      },
    });
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    await expect(host.plan(requested('forever'))).rejects.toBeInstanceOf(OperationRejected);
    expect(startCount()).toBe(2);
  });

  it('rejects an operation that ends the thread twice permanently and plans others', async () => {
    const host = newHost();
    const [fatal, other] = await Promise.allSettled([host.plan(requested('end')), host.plan(requested('a'))]);
    expect(fatal).toMatchObject({ status: 'rejected', reason: { code: 'INTERNAL_SERVER_ERROR' } });
    expect(other.status).toBe('fulfilled');
    await expect(host.plan(requested('end'))).rejects.toBeInstanceOf(OperationUnplannable);
    expect(startCount()).toBe(3);
  });

  it('survives a plan that exhausts the memory of the thread', async () => {
    const host = newHost({ maxHeapMb: 24, planTimeoutMs: 60_000 });
    await expect(host.plan(requested('all memory'))).rejects.toBeInstanceOf(OperationUnplannable);
    await expect(host.plan(requested('a'))).resolves.toHaveProperty('kind', 'query');
  });

  it('transfers rejections and internal errors of the planner unchanged', async () => {
    const host = newHost();
    await expect(host.plan(requested('too much'))).rejects.toMatchObject({
      name: 'OperationRejected',
      code: 'GRAPHQL_VALIDATION_FAILED',
      errors: [{ message: 'Too much.', locations: [{ line: 1, column: 2 }] }],
    });
    await expect(host.plan(requested('too deep'))).rejects.toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      message: 'The document is nested too deeply.',
    });
    const defect: unknown = await host.plan(requested('defect')).catch((error: unknown) => error);
    expect(defect).toBeInstanceOf(OperationUnplannable);
    expect(defect).toMatchObject({
      cause: { name: 'TypeError', message: 'no edge', stack: expect.stringContaining('scripted-planner.js') },
    });
    expect(startCount()).toBe(1);
  });

  it('reports an invalid supergraph to all callers', async () => {
    const host = newHost({ sdl: 'unusable' });
    await expect(Promise.all([host.plan(requested('a')), host.plan(requested('b'))])).rejects.toThrow('The planner could not be started.');
    await expect(host.ready).rejects.toThrow('no such supergraph');
  });

  it('does not restart a thread forever that fails to start', async () => {
    const host = newHost({ sdl: 'ends at once' });
    await expect(host.plan(requested('a'))).rejects.toThrow('The planner could not be started.');
    await expect(host.ready).rejects.toThrow('ended with code 7');
    await expect(host.plan(requested('a'))).rejects.toThrow('The planner could not be started.');
  });

  it('rejects operations with OVERLOADED when the queue is full', async () => {
    const host = newHost({ maxQueued: 2 });
    const waiting = [host.plan(requested('a')), host.plan(requested('b'))];
    await expect(host.plan(requested('c'))).rejects.toMatchObject({ code: 'OVERLOADED', status: 503, headers: { 'retry-after': '1' } });
    await expect(Promise.all(waiting)).resolves.toHaveLength(2);
  });

  it('does not plan a queued operation whose caller has aborted', async () => {
    const host = newHost({ planTimeoutMs: 200 });
    const waiting = new AbortController();
    const first = host.plan(requested('forever')).catch(() => 'rejected');
    const second = host.plan(requested('end'), waiting.signal);
    waiting.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    await expect(host.plan(requested('a'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(await first).toBe('rejected');
    await expect(host.plan(requested('a'))).resolves.toHaveProperty('kind', 'query');
    expect(startCount()).toBe(2);
  });

  it('rejects all pending plans on disposal', async () => {
    const host = newHost({ planTimeoutMs: 60_000 });
    const plans = Promise.allSettled([host.plan(requested('forever')), host.plan(requested('a'))]);
    await host.ready;
    await host[Symbol.asyncDispose]();
    expect((await plans).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(host.plan(requested('a'))).rejects.toThrow('has been closed');
  });
});

describe('createPlannerHost, without failures', () => {
  it('passes the complete input to the thread and returns the plan', async () => {
    const plan = await newHost().plan(requested('a', { conditions: { v0: true }, labels: ['one', 'two'] }));
    expect(plan).toEqual({
      kind: 'query',
      fetches: [{ subgraph: 'a', kind: 'query', dependsOn: [] }],
      keys: { withArguments: { v0: true }, beneathAbstract: { labels: 'one,two' } },
    });
  });

  it('plans operations in order and in one thread', async () => {
    const host = newHost();
    const order: string[] = [];
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => host.plan(requested(name)).then(() => order.push(name))));
    expect(order).toEqual(['a', 'b', 'c', 'd']);
    expect(startCount()).toBe(1);
  });

  it('does not prevent the exit of an idle process', async () => {
    const host = new URL('../../../../../dist/gateway/planning/worker/create-planner-host.js', import.meta.url).href;
    const script = `
      const { createPlannerHost } = await import(${JSON.stringify(host)});
      const plannerModule = new URL(${JSON.stringify(SCRIPTED.href)});
      const planner = createPlannerHost({ sdl: ${JSON.stringify(starts)}, logger: console, plannerModule });
      console.log((await planner.plan({ document: 'a', conditions: {}, labels: [] })).kind);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
    expect(stdout).toBe('query\n');
  });

  it('plans operations of other callers before the next one of an expensive caller', async () => {
    const host = newHost({ reliefAfterMs: 0 });
    const [heavy, other] = [new Set(['heavy']), new Set(['other'])];
    const file = join(directory, 'release');
    const long = host.plan(requested(`until ${file}`), undefined, heavy);
    // Other operations wait for the first thread, so that a second thread is started.
    const waiting = host.plan(requested('waiting'), undefined, other);
    await pause(1_000);
    writeFileSync(file, '');
    await Promise.all([long, waiting]);
    await pause(20);
    const planned: string[] = [];
    const again = host.plan(requested('again'), undefined, heavy).then(() => planned.push('again'));
    for (const name of ['a', 'b', 'c']) planned.push((await host.plan(requested(name), undefined, other)).kind && name);
    expect(planned).toEqual(['a', 'b', 'c']);
    await again;
    expect(planned).toEqual(['a', 'b', 'c', 'again']);
  });
});
