import { describe, expect, it } from '@jest/globals';
import type { DeferredPatch } from '../../../../../gateway/execution/executable-operation.ts';
import { createPayloadQueue } from '../../../../../gateway/pipeline/execution/incremental.ts';

const patch = (label: string): DeferredPatch => ({ label, path: [], data: '{}', errors: [] });

describe('the queue of incremental payloads', () => {
  it('sends payloads that were pushed before a failure first', async () => {
    const queue = createPayloadQueue();
    queue.push({ patches: [patch('a')], hasNext: true });
    queue.fail(new Error('over'));
    expect(await queue.next()).toEqual({ patches: [patch('a')], hasNext: true });
    await expect(queue.next()).rejects.toThrow('over');
  });

  it('ignores a failure after the last payload', async () => {
    const queue = createPayloadQueue();
    queue.push({ patches: [], hasNext: false });
    queue.fail(new Error('over'));
    expect(await queue.next()).toEqual({ patches: [], hasNext: false });
  });

  it('sends a payload to a waiting reader', async () => {
    const queue = createPayloadQueue();
    const next = queue.next();
    queue.push({ patches: [patch('a')], hasNext: false });
    expect(await next).toEqual({ patches: [patch('a')], hasNext: false });
  });

  it('combines payloads that arrived while the previous one was sent', async () => {
    const queue = createPayloadQueue();
    queue.push({ patches: [patch('a')], hasNext: true });
    queue.push({ patches: [patch('b')], hasNext: false });
    expect(await queue.next()).toEqual({ patches: [patch('a'), patch('b')], hasNext: false });
  });
});
