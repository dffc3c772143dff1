import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readWebhooksConfiguration } from '../../../../cli/webhooks/read-webhooks-configuration.ts';

const SECRETS = {
  GATEFOLD_IDENTITY_SECRET: 'i'.repeat(32),
  GATEFOLD_SERVICE_SECRET: 's'.repeat(32),
};
const PRODUCTION = { ...SECRETS, GATEFOLD_WEBHOOKS_KEY: 'k'.repeat(32), GATEFOLD_WEBHOOKS__DATABASE__URL: 'postgres://db/webhooks' };

const directory = mkdtempSync(join(tmpdir(), 'gatefold-webhooks-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the configuration of the webhook service', () => {
  it('names every setting that production requires', async () => {
    const reading = readWebhooksConfiguration({}, SECRETS);

    await expect(reading).rejects.toThrow('encryptionKey: required in production');
    await expect(reading).rejects.toThrow('database: set url to a PostgreSQL server, or directory');
  });

  it.each([
    ['no secrets', { ...PRODUCTION, GATEFOLD_SERVICE_SECRET: '', GATEFOLD_IDENTITY_SECRET: '' }, 'gateway'],
    ['no secret of the identity', { ...PRODUCTION, GATEFOLD_IDENTITY_SECRET: '' }, 'identity: set exactly one of secret and jwksUrl'],
    ['a short key', { ...PRODUCTION, GATEFOLD_WEBHOOKS_KEY: 'short' }, 'encryptionKey'],
    [
      'equal secrets',
      { ...PRODUCTION, GATEFOLD_SERVICE_SECRET: 'i'.repeat(32) },
      'gateway.serviceSecret: must differ from identity.secret',
    ],
    ['two databases', { ...PRODUCTION, GATEFOLD_WEBHOOKS__DATABASE__DIRECTORY: 'data' }, 'database: set only one of url and directory'],
    ['private receivers', { ...PRODUCTION, GATEFOLD_WEBHOOKS__DELIVERY__PRIVATE_HOSTS: '["hooks.internal"]' }, 'only in the dev profile'],
    ['a short lease', { ...PRODUCTION, GATEFOLD_WEBHOOKS__DELIVERY__LEASE_MS: '15000' }, 'must be longer than delivery.timeoutMs (15000)'],
    ['a typing error', { ...PRODUCTION, GATEFOLD_WEBHOOKS__DATABSE__URL: 'x' }, 'Did you mean GATEFOLD_WEBHOOKS__DATABASE__URL?'],
  ])('rejects %s', async (_what, env, message) => {
    await expect(readWebhooksConfiguration({}, env)).rejects.toThrow(message);
  });

  it('does not print a secret in its messages', async () => {
    const env = { ...PRODUCTION, GATEFOLD_WEBHOOKS_KEY: 'hunter2' };

    await expect(readWebhooksConfiguration({}, env)).rejects.not.toThrow('hunter2');
  });

  it('names the line of a mistake in the file', async () => {
    const file = join(directory, 'webhooks.yaml');
    writeFileSync(file, 'delivery:\n  leaseMs: 15000\n');

    await expect(readWebhooksConfiguration({ config: file }, PRODUCTION)).rejects.toThrow(`${file}:2`);
  });

  it('needs only the secrets in the dev profile, and ignores the variables of the gateway', async () => {
    const env = { ...SECRETS, GATEFOLD_LIMITS__MAX_COST: '10', SUBGRAPH_USERS_URL: 'http://127.0.0.1:1' };

    expect(await readWebhooksConfiguration({ profile: 'dev', port: 0 }, env)).toMatchObject({
      profile: 'dev',
      name: 'webhooks',
      server: { port: 0 },
      gateway: { url: 'http://127.0.0.1:4001' },
      identity: { form: 'any' },
    });
  });
});
