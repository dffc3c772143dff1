import { expect, it } from '@jest/globals';
import { createGatewayReload } from '../../../cli/create-gateway-reload.ts';
import type { ProductConfig } from '../../../cli/configuration.ts';
import type { ReloadReport } from '../../../gateway/index.ts';
import { ConfigurationInvalid } from '../../../gateway/config/configuration-invalid.ts';

const config = (changed: object = {}) =>
  ({ rest: { documents: 'rest' }, engine: { name: 'gatefold' }, ...changed }) as unknown as ProductConfig;

async function reload(read: () => Promise<ProductConfig>, report: ReloadReport = { applied: [], needRestart: [] }) {
  const lines: string[] = [];
  const write = (level: string) => (facts: unknown, message?: unknown) =>
    void lines.push(`${level} ${JSON.stringify(facts)} ${String(message)}`);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  await createGatewayReload({ reload: async () => report }, config(), logger)(read);
  return lines;
}

it('a mistake is logged with its path, and the previous configuration remains in use', async () => {
  const invalid = new ConfigurationInvalid([{ path: 'limits.maxDepth', message: 'expected a number' }]);
  const [line, ...others] = await reload(() => Promise.reject(invalid));
  expect(line).toMatch(/^error .*limits\.maxDepth: expected a number.*The previous configuration remains in use\.$/);
  expect(others).toEqual([]);
});

it('all settings that need a restart are in one message, with those of the REST facade', async () => {
  const report = { applied: ['limits.maxDepth'], needRestart: ['server.port', 'redis.url'] };
  expect(await reload(async () => config({ rest: { documents: 'other' } }), report)).toEqual([
    'info {"settings":["limits.maxDepth"]} The configuration was reloaded.',
    'warn {"settings":["server.port","redis.url","rest.documents"]} Not applied, because a restart is needed: server.port, redis.url, rest.documents.',
  ]);
});

it('an equal configuration is logged as unchanged', async () => {
  expect(await reload(async () => config())).toEqual(['info {} The configuration was read again. No setting has changed.']);
});
