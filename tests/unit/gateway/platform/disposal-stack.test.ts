import { describe, expect, it } from '@jest/globals';
import { createDisposalStack } from '../../../../gateway/platform/disposal-stack.ts';

describe('createDisposalStack', () => {
  it('closes the other resources and then throws the error of one', async () => {
    const closed: string[] = [];
    const failure = new Error('The socket is stuck.');
    const stack = createDisposalStack();
    stack.defer(() => void closed.push('first'));
    stack.defer(() => Promise.reject(failure));
    stack.defer(() => void closed.push('last'));
    await expect(stack[Symbol.asyncDispose]()).rejects.toBe(failure);
    expect(closed).toEqual(['last', 'first']);
  });

  it('throws several errors together', async () => {
    const errors = [new Error('one'), new Error('two')];
    const stack = createDisposalStack();
    for (const error of errors) stack.defer(() => Promise.reject(error));
    await expect(stack[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: errors.toReversed() });
  });

  it('closes resources of both kinds one by one in reverse order and skips undefined', async () => {
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

  it('closes each resource once when it is closed twice', async () => {
    let count = 0;
    const stack = createDisposalStack();
    stack.defer(() => void (count += 1));
    await stack[Symbol.asyncDispose]();
    await stack[Symbol.asyncDispose]();
    expect(count).toBe(1);
  });
});
