import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PlanInput } from '../../../gateway/planning/query-planner.ts';
import { type PlannerHostOptions, createPlannerHost } from '../../../gateway/planning/worker/create-planner-host.ts';
import type { PlannerHost } from '../../../gateway/planning/worker/planner-host.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';

const SCRIPTED = new URL('../../support/planning/scripted-planner.js', import.meta.url);
const ATTACKER = new Set(['address:203.0.113.1']);
const STRANGER = new Set(['address:198.51.100.1']);

let directory = '';
const hosts: PlannerHost[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'fair-planning-'));
});

afterAll(async () => {
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
  rmSync(directory, { recursive: true });
});

function newHost(options: Partial<PlannerHostOptions> = {}): PlannerHost {
  const starts = join(directory, `starts-${hosts.length}`);
  writeFileSync(starts, '');
  const host = createPlannerHost({ sdl: starts, logger: silentLogger, plannerModule: SCRIPTED, planTimeoutMs: 50, ...options });
  hosts.push(host);
  return host;
}

function requested(document: string, variant = 0): PlanInput {
  return { document, conditions: { [`variant${variant}`]: true }, labels: [] };
}

describe('point 2: one caller with expensive plans', () => {
  it('delays another caller by at most one of 20 plans that time out', async () => {
    const host = newHost();
    await host.ready;
    let rejected = 0;
    const slow = Array.from({ length: 20 }, (_item, index) =>
      host.plan(requested('forever', index), undefined, ATTACKER).catch(() => {
        rejected += 1;
      }),
    );
    await expect(host.plan(requested('plain'), undefined, STRANGER)).resolves.toMatchObject({ kind: 'query' });
    expect(rejected).toBeLessThanOrEqual(1);
    await host[Symbol.asyncDispose]();
    await Promise.all(slow);
  });

  it('plans a shared operation in the turn of another caller that also requests it', async () => {
    const host = newHost();
    await host.ready;
    let rejected = 0;
    const slow = Array.from({ length: 10 }, (_item, index) =>
      host.plan(requested('forever', index), undefined, ATTACKER).catch(() => {
        rejected += 1;
      }),
    );
    const callers = new Set(ATTACKER);
    const shared = host.plan(requested('plain'), undefined, callers);
    callers.add([...STRANGER].join());
    await expect(shared).resolves.toMatchObject({ kind: 'query' });
    expect(rejected).toBeLessThanOrEqual(1);
    await host[Symbol.asyncDispose]();
    await Promise.all(slow);
  });

  it('rejects only the busy caller beyond its limit of queued plans, with `retry-after`', async () => {
    const host = newHost({ maxQueuedPerCaller: 3, planTimeoutMs: 10_000 });
    // The thread is not ready yet, so all requests wait.
    const waiting = Array.from({ length: 3 }, (_item, index) => host.plan(requested('a', index), undefined, ATTACKER));
    const rejected = host.plan(requested('b'), undefined, ATTACKER);
    await expect(rejected).rejects.toMatchObject({ code: 'OVERLOADED', headers: { 'retry-after': '1' } });
    const results = await Promise.allSettled([...waiting, host.plan(requested('c'), undefined, STRANGER)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('does not delay callers again that have already waited for the busy caller', async () => {
    const host = newHost({ planTimeoutMs: 60_000, reliefAfterMs: 0 });
    await host.ready;
    const [first, second] = [join(directory, 'first'), join(directory, 'second')];
    const slow = [first, second, second].map((file, index) => host.plan(requested(`until ${file}`, index), undefined, ATTACKER));
    const waited = host.plan(requested('plain'), undefined, STRANGER);
    writeFileSync(first, '');
    await expect(Promise.all([slow[0], waited])).resolves.toHaveLength(2);
    // The busy caller occupies one of the threads, and never both.
    for (let count = 1; count <= 3; count += 1) {
      await expect(host.plan(requested('plain', count), undefined, STRANGER)).resolves.toMatchObject({ kind: 'query' });
    }
    writeFileSync(second, '');
    await expect(Promise.all(slow)).resolves.toHaveLength(3);
  });

  it('starts no second thread for a single caller, however long it waits for its own plans', async () => {
    const host = newHost({ planTimeoutMs: 60_000, reliefAfterMs: 0 });
    await host.ready;
    await Promise.all(Array.from({ length: 10 }, (_item, index) => host.plan(requested('plain', index), undefined, ATTACKER)));
    const starts = readFileSync(join(directory, `starts-${hosts.length - 1}`), 'utf8');
    expect(starts).toBe('start\n');
  });

  it('rejects an operation shape that has timed out before, without planning it again', async () => {
    const host = newHost();
    await expect(host.plan(requested('forever'), undefined, ATTACKER)).rejects.toThrow('The operation takes too long to plan.');
    const again = Promise.race([host.plan(requested('forever'), undefined, ATTACKER), new Promise((resolve) => setImmediate(resolve))]);
    await expect(again).rejects.toThrow('The operation takes too long to plan.');
  });
});
