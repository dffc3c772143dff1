import { expect, it } from '@jest/globals';
import type { PrimaryMessage } from '../../../../cli/workers/messages.ts';
import { createCallServer } from '../../../../cli/workers/serve-calls.ts';
import type { PrimaryNotice } from '../../../../gateway/platform/primary-state.ts';

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('the primary sends results that are ready in one message, and others later', async () => {
  const sent: PrimaryMessage[] = [];
  let finish: (value: unknown) => void = () => {};
  let notify: (notice: PrimaryNotice) => void = () => {};
  const server = createCallServer(
    (toWorker) => {
      notify = toWorker;
      return {
        run: (name, args) => (args[0] === 'slow' ? new Promise((resolve) => (finish = resolve)) : `${name} ${String(args[0])}`),
        end() {},
      };
    },
    (message) => void sent.push(message),
  );
  server.receive([
    [1, 'take', ['slow']],
    [2, 'take', ['fast']],
    [0, 'surrender', ['a report']],
    [3, 'begin', ['key']],
  ]);
  notify(['revoke', 'other']);
  await turn();
  finish('late');
  await turn();
  expect(sent).toEqual([
    {
      type: 'results',
      results: [
        [2, 'take fast'],
        [3, 'begin key'],
      ],
      notices: [['revoke', 'other']],
    },
    { type: 'results', results: [[1, 'late']] },
  ]);
});
