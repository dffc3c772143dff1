import { describe, expect, it } from '@jest/globals';
import { createDisposalStack } from '../../../../gateway/platform/disposal-stack.ts';

describe('createDisposalStack', () => {
  it('given an error of one resource, when closed, then the others are closed, and it is thrown at the end', async () => {
    const closed: string[] = [];
    const failure = new Error('The socket is stuck.');
    const stack = createDisposalStack();
    stack.defer(() => void closed.push('first'));
    stack.defer(() => Promise.reject(failure));
    stack.defer(() => void closed.push('last'));
    await expect(stack[Symbol.asyncDispose]()).rejects.toBe(failure);
    expect(closed).toEqual(['last', 'first']);
  });

  it('given several errors, when closed, then all are thrown together', async () => {
    const errors = [new Error('one'), new Error('two')];
    const stack = createDisposalStack();
    for (const error of errors) stack.defer(() => Promise.reject(error));
    await expect(stack[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: errors.toReversed() });
  });

  it('given resources of both kinds, and one that is not there, when closed, then each is closed when those after it have ended', async () => {
    const closed: string[] = [];
    const stack = createDisposalStack();
    stack.use({ [Symbol.dispose]: () => void closed.push('synchronous') });
    expect(stack.use(undefined)).toBeUndefined();
    stack.use({
      async [Symbol.asyncDispose]() {
        await new Promise(setImmediate);
        closed.push('asynchronous');
      },
    });
    await stack[Symbol.asyncDispose]();
    expect(closed).toEqual(['asynchronous', 'synchronous']);
  });

  it('given a stack that was closed, when closed again, then nothing is closed twice', async () => {
    let count = 0;
    const stack = createDisposalStack();
    stack.defer(() => void (count += 1));
    await stack[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
    expect(count).toBe(1);
  });
});
