import { describe, expect, it } from '@jest/globals';
import type { DeferredPatch } from '../../../../../gateway/execution/executable-operation.ts';
import { createPartQueue } from '../../../../../gateway/pipeline/execution/incremental.ts';

const patch = (label: string): DeferredPatch => ({ label, path: [], data: '{}', errors: [] });

describe('the queue of later parts', () => {
  it('given a failure, when parts came before it, then they are sent first', async () => {
    const queue = createPartQueue();
    queue.push({ patches: [patch('a')], hasNext: true });
    queue.fail(new Error('over'));
    expect(await queue.next()).toEqual({ patches: [patch('a')], hasNext: true });
    await expect(queue.next()).rejects.toThrow('over');
  });

  it('given a failure after the last part, when read, then there was none', async () => {
    const queue = createPartQueue();
    queue.push({ patches: [], hasNext: false });
    queue.fail(new Error('over'));
    expect(await queue.next()).toEqual({ patches: [], hasNext: false });
  });

  it('given somebody who waits, when a part comes, then it is sent', async () => {
    const queue = createPartQueue();
    const next = queue.next();
    queue.push({ patches: [patch('a')], hasNext: false });
    expect(await next).toEqual({ patches: [patch('a')], hasNext: false });
  });

  it('given parts that came while the one before was sent, when read, then they go together', async () => {
    const queue = createPartQueue();
    queue.push({ patches: [patch('a')], hasNext: true });
    queue.push({ patches: [patch('b')], hasNext: false });
    expect(await queue.next()).toEqual({ patches: [patch('a'), patch('b')], hasNext: false });
  });
});
