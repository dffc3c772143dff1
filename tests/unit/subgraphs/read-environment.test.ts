import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readEnvironment } from '../../../subgraphs/read-environment.ts';

const SECRET = { GATEFOLD_IDENTITY_SECRET: 's'.repeat(32) };

describe('the environment of the subgraphs', () => {
  it.each([
    [{}, 'GATEFOLD_IDENTITY_SECRET is not set'],
    [{ GATEFOLD_IDENTITY_SECRET: 'short' }, 'GATEFOLD_IDENTITY_SECRET is too short'],
    [{ ...SECRET, GATEFOLD_PROFILE: 'test' }, 'GATEFOLD_PROFILE is dev or production'],
    [{ ...SECRET, SUBGRAPH_ORDERS_PORT: '65536' }, 'SUBGRAPH_ORDERS_PORT must be a port'],
    [{ ...SECRET, SUBGRAPH_USERS_PORT: '-1' }, 'SUBGRAPH_USERS_PORT must be a port'],
    [{ ...SECRET, SUBGRAPH_USERS_PORT: '80a' }, 'SUBGRAPH_USERS_PORT must be a port'],
  ])('given %j, when read, then it is refused with a sentence that says what to set', (environment, message) => {
    expect(() => readEnvironment(environment)).toThrow(message);
  });

  it('given the secret alone, when read, then everything else has its default', () => {
    expect(readEnvironment({ ...SECRET, SUBGRAPH_USERS_PORT: '' })).toEqual({
      identity: { secret: 's'.repeat(32) },
      profile: 'production',
      databaseUrl: undefined,
      redisUrl: undefined,
      directory: resolve('.gatefold/data'),
      host: '127.0.0.1',
      ports: {},
    });
  });

  it('given memory and ports, when read, then no directory is used and the ports are those', () => {
    const environment = {
      ...SECRET,
      GATEFOLD_DATA_DIR: 'memory',
      SUBGRAPH_USERS_PORT: '0',
      SUBGRAPH_SHIPPING_PORT: '4107',
      GATEFOLD_PROFILE: 'dev',
    };
    expect(readEnvironment(environment)).toMatchObject({ directory: undefined, profile: 'dev', ports: { users: 0, shipping: 4107 } });
  });
});
