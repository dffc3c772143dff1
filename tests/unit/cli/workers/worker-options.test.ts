import { describe, expect, it } from '@jest/globals';
import { workerOptionsOf } from '../../../../cli/workers/worker-options.ts';

describe('the Node options of a worker', () => {
  it.each<[string, readonly string[], string | undefined, readonly string[]]>([
    ['adds the size of the young generation', [], undefined, ['--max-semi-space-size=16']],
    ['keeps those of the primary', ['--enable-source-maps'], '', ['--enable-source-maps', '--max-semi-space-size=16']],
    ['does not replace a size of the command line', ['--max-semi-space-size=64'], undefined, ['--max-semi-space-size=64']],
    ['does not replace a size with underscores', ['--max_semi_space_size=64'], undefined, ['--max_semi_space_size=64']],
    ['does not replace a size of NODE_OPTIONS', [], '--max-semi-space-size=64', []],
  ])('%s', (_what, execArgv, nodeOptions, expected) => {
    expect(workerOptionsOf(execArgv, nodeOptions)).toEqual(expected);
  });
});
