import { describe, expect, it } from '@jest/globals';
import { withEnd } from '../../../../gateway/generation/with-end.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import type { SubgraphExecutor, SubgraphResponse } from '../../../../gateway/supergraph/subgraph-executor.ts';

const REQUEST: Parameters<SubgraphExecutor>[0] = {
  subgraph: 'users',
  kind: 'query',
  body: '{}',
  context: { principal: ANONYMOUS, correlationId: 'a', headers: {} },
};
const SIGNAL = new AbortController().signal;

function executorOf(respond: () => Promise<SubgraphResponse>) {
  const disposals: string[] = [];
  const executor = withEnd(Object.assign(respond, { [Symbol.asyncDispose]: async () => void disposals.push('inner') }));
  return { executor, disposals };
}

describe('withEnd', () => {
  it('rejects pending and later requests with a reason after it is disposed of', async () => {
    const { executor, disposals } = executorOf(() => new Promise(() => {}));
    const pending = executor(REQUEST, SIGNAL);
    const failure = expect(pending).rejects.toMatchObject({
      code: 'GATEWAY_TIMEOUT',
      message: expect.stringContaining('no longer served'),
    });
    await executor[Symbol.asyncDispose]();
    await failure;
    await expect(executor(REQUEST, SIGNAL)).rejects.toMatchObject({ code: 'GATEWAY_TIMEOUT' });
    expect(disposals).toEqual(['inner']);
  });

  it('throws the error of the subgraph', async () => {
    const { executor } = executorOf(() => Promise.reject(new Error('down')));
    await expect(executor(REQUEST, SIGNAL)).rejects.toThrow('down');
  });

  it('returns the response of the subgraph', async () => {
    const { executor } = executorOf(async () => ({ data: { a: 1 } }));
    expect(await executor(REQUEST, SIGNAL)).toEqual({ data: { a: 1 } });
  });
});
