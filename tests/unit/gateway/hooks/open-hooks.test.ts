import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openHooks } from '../../../../gateway/hooks/open-hooks.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-hooks-'));
});
afterAll(async () => rm(directory, { recursive: true }));

async function open(text: string, name = `${Math.random()}.mjs`) {
  const file = join(directory, name);
  if (text !== '') await writeFile(file, text);
  return openHooks({ modules: [file], timeoutMs: 1_000 }, { builtIn: [], embedded: undefined, logger: silentLogger });
}

describe('a module of the setting hooks.modules', () => {
  it.each([
    ['does not exist', '', 'cannot be loaded: Cannot find'],
    ['has a syntax error', 'export default {', 'cannot be loaded'],
    ['throws', 'throw new Error("no license");', 'cannot be loaded: no license'],
    ['has no default export', 'export const onRequest = () => {};', 'has no default export\n    Write `export default'],
    [
      'has an unknown hook',
      'export default { onRespons() {} };',
      'hooks.modules.0: unknown hook "onRespons"\n    Did you mean onResponse?',
    ],
  ])('prevents the start with a message that names it if it %s', async (_what, text, message) => {
    await expect(open(text)).rejects.toThrow(message);
    await expect(open(text)).rejects.toThrow('hooks.modules.0');
  });

  it('is loaded, and its hooks run before those of the application', async () => {
    const file = join(directory, 'good.mjs');
    await writeFile(file, 'export default { onRequest: () => ({ headers: { by: "module" } }) };');
    const embedded = { onRequest: () => ({ headers: { by: 'application' } }) };
    using hooks = await openHooks({ modules: [file], timeoutMs: 1_000 }, { builtIn: [], embedded, logger: silentLogger });
    const changes: unknown[] = [];
    await hooks.compiled.onRequest?.({} as never, (change) => void changes.push(change));
    expect(changes).toEqual([{ headers: { by: 'module' } }, { headers: { by: 'application' } }]);
  });
});
