import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '../../../subgraphs/read-environment.ts';

const SECRET = { GATEFOLD_IDENTITY_SECRET: 's'.repeat(32), GATEFOLD_WEBHOOKS_KEY: 'w'.repeat(32) };

describe('the environment of the subgraphs', () => {
  it.each([
    [{}, 'GATEFOLD_IDENTITY_SECRET is not set'],
    [{ GATEFOLD_IDENTITY_SECRET: 'short' }, 'GATEFOLD_IDENTITY_SECRET is too short'],
    [{ ...SECRET, GATEFOLD_PROFILE: 'test' }, 'GATEFOLD_PROFILE must be dev or production'],
    [{ ...SECRET, SUBGRAPH_ORDERS_PORT: '65536' }, 'SUBGRAPH_ORDERS_PORT must be a port'],
    [{ ...SECRET, SUBGRAPH_USERS_PORT: '-1' }, 'SUBGRAPH_USERS_PORT must be a port'],
    [{ ...SECRET, SUBGRAPH_USERS_PORT: '80a' }, 'SUBGRAPH_USERS_PORT must be a port'],
    [{ ...SECRET, GATEFOLD_WEBHOOKS_KEY: '' }, 'GATEFOLD_WEBHOOKS_KEY is not set'],
    [{ ...SECRET, GATEFOLD_WEBHOOKS_KEY: `${'w'.repeat(32)},old` }, 'GATEFOLD_WEBHOOKS_KEY is too short'],
    [{ ...SECRET, GATEFOLD_WEBHOOKS_MAX_ENDPOINTS: '0' }, 'GATEFOLD_WEBHOOKS_MAX_ENDPOINTS must be an integer from 1 to 10000'],
    [{ ...SECRET, GATEFOLD_WEBHOOKS_MAX_ENDPOINTS: '20 or so' }, 'GATEFOLD_WEBHOOKS_MAX_ENDPOINTS must be an integer from 1 to 10000'],
    [{ ...SECRET, GATEFOLD_WEBHOOKS_PRIVATE_HOSTS: 'intranet' }, 'GATEFOLD_WEBHOOKS_PRIVATE_HOSTS is allowed only in the profile dev'],
  ])('rejects %j with a message that says what to set', (environment, message) => {
    expect(() => readEnvironment(environment)).toThrow(message);
  });

  it('reads secrets from files, and rejects a value that is set both ways or cannot be read', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatefold-secrets-'));
    try {
      const file = join(directory, 'database_url');
      writeFileSync(file, 'postgresql://gatefold@db/gatefold\n');
      expect(readEnvironment({ ...SECRET, GATEFOLD_REFERENCE_DATABASE_URL_FILE: file }).databaseUrl).toBe(
        'postgresql://gatefold@db/gatefold',
      );
      expect(() => readEnvironment({ ...SECRET, GATEFOLD_IDENTITY_SECRET_FILE: file })).toThrow(
        'Set either GATEFOLD_IDENTITY_SECRET or GATEFOLD_IDENTITY_SECRET_FILE, not both.',
      );
      expect(() => readEnvironment({ ...SECRET, REDIS_URL_FILE: directory })).toThrow(
        `REDIS_URL_FILE names the file ${directory}, which cannot be used: it is a directory`,
      );
      writeFileSync(file, '\n');
      expect(() => readEnvironment({ ...SECRET, REDIS_URL_FILE: file })).toThrow('it is empty. Write the value into it.');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('has defaults for everything except the secrets', () => {
    expect(readEnvironment({ ...SECRET, SUBGRAPH_USERS_PORT: '' })).toEqual({
      identity: { secret: 's'.repeat(32) },
      profile: 'production',
      databaseUrl: undefined,
      redisUrl: undefined,
      directory: resolve('.gatefold/data'),
      host: '127.0.0.1',
      ports: {},
      webhooks: { keys: ['w'.repeat(32)], maxEndpoints: 20, targets: { allowedPrivateHosts: [] } },
    });
  });

  it('uses no directory for `memory`, and reads the ports', () => {
    const environment = {
      ...SECRET,
      GATEFOLD_DATA_DIR: 'memory',
      SUBGRAPH_USERS_PORT: '0',
      SUBGRAPH_SHIPPING_PORT: '4107',
      GATEFOLD_PROFILE: 'dev',
    };
    expect(readEnvironment(environment)).toMatchObject({ directory: undefined, profile: 'dev', ports: { users: 0, shipping: 4107 } });
  });

  it('the `dev` profile needs no webhooks key and allows loopback targets', () => {
    const { webhooks } = readEnvironment({ ...SECRET, GATEFOLD_WEBHOOKS_KEY: '', GATEFOLD_PROFILE: 'dev' });
    expect(webhooks).toEqual({ keys: [], maxEndpoints: 20, targets: { allowedPrivateHosts: ['localhost', '127.0.0.1', '[::1]'] } });
  });

  it('reads all webhook settings', () => {
    const environment = {
      ...SECRET,
      GATEFOLD_PROFILE: 'dev',
      GATEFOLD_WEBHOOKS_KEY: `${'n'.repeat(32)}, ${'o'.repeat(32)}`,
      GATEFOLD_WEBHOOKS_MAX_ENDPOINTS: '3',
      GATEFOLD_WEBHOOKS_PRIVATE_HOSTS: 'one.intranet,two.intranet',
    };
    expect(readEnvironment(environment).webhooks).toEqual({
      keys: ['n'.repeat(32), 'o'.repeat(32)],
      maxEndpoints: 3,
      targets: { allowedPrivateHosts: ['one.intranet', 'two.intranet'] },
    });
  });
});
