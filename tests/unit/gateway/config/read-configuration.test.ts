import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigurationInvalid } from '../../../../gateway/config/configuration-invalid.ts';
import { type ReadConfigurationOptions, readConfiguration } from '../../../../gateway/config/read-configuration.ts';
import { type GatewayConfig, gatewayConfig } from '../../../../gateway/config/sections.ts';

const directory = mkdtempSync(join(tmpdir(), 'gatefold-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

const file = join(directory, 'gatefold.yaml');

interface Given extends Partial<ReadConfigurationOptions<GatewayConfig>> {
  readonly yaml?: string;
}

function read({ yaml, ...options }: Given) {
  if (yaml !== undefined) writeFileSync(file, yaml);
  return readConfiguration({
    schema: gatewayConfig,
    env: {},
    profileDefault: 'dev',
    directory: join(directory, 'empty'),
    ...(yaml === undefined ? {} : { file }),
    ...options,
  });
}

/** Returns the error message that the operator reads, without the temporary directory. */
async function mistakesOf(given: Given): Promise<string> {
  try {
    await read(given);
  } catch (error) {
    if (error instanceof ConfigurationInvalid) return error.message.replaceAll(`${directory}/`, '');
    throw error;
  }
  return 'no error';
}

const SECRET = 'hunter2hunter2';

describe('errors in a configuration', () => {
  const table: readonly (readonly [title: string, given: Given, expected: readonly string[]])[] = [
    [
      'a port that is a word',
      { env: { PORT: 'http' } },
      [
        'server.port: expected a whole number from 0 to 65535 (port; 0 selects a free port), got "http"',
        '  from the environment variable PORT',
      ],
    ],
    [
      'a port beyond the last one',
      { env: { INTERNAL_PORT: '70000' } },
      [
        'server.internalPort: expected a whole number from 0 to 65535 (port; 0 selects a free port), got 70000',
        '  from the environment variable INTERNAL_PORT',
      ],
    ],
    [
      'a size with a unit',
      { yaml: 'server:\n  maxBodyBytes: 1MB\n' },
      ['server.maxBodyBytes: expected a whole number from 1 to 104857600 (bytes), got "1MB"', '  from gatefold.yaml:2:17'],
    ],
    [
      'a fraction instead of a whole number',
      { env: { GATEFOLD_GRAPHQL__OPERATION_TIMEOUT_MS: '1.5' } },
      [
        'graphql.operationTimeoutMs: expected a whole number from 1 to 600000 (milliseconds), got 1.5',
        '  from the environment variable GATEFOLD_GRAPHQL__OPERATION_TIMEOUT_MS',
      ],
    ],
    [
      'a typo in a key',
      { yaml: 'server:\n  prot: 4000\n' },
      ['server.prot: unknown setting', '  from gatefold.yaml:2:3', '  Did you mean server.port?'],
    ],
    [
      'a key in the wrong section',
      { yaml: 'introspection: true\n' },
      ['introspection: unknown setting', '  from gatefold.yaml:1:1', '  Did you mean graphql.introspection?'],
    ],
    [
      'a key that resembles no setting',
      { yaml: 'logging:\n  pretty: true\n' },
      ['logging.pretty: unknown setting', '  from gatefold.yaml:2:3', '  Known settings: level, format.'],
    ],
    [
      'a word that is not an allowed value',
      { env: { GATEFOLD_LOGGING__LEVEL: 'loud' } },
      [
        'logging.level: expected one of silent, error, warn, info, debug, got "loud"',
        '  from the environment variable GATEFOLD_LOGGING__LEVEL',
      ],
    ],
    [
      'a profile that does not exist',
      { env: { GATEFOLD_PROFILE: 'prod' } },
      ['profile: expected one of dev, production, got "prod"', '  from the environment variable GATEFOLD_PROFILE'],
    ],
    [
      'a value that is neither true nor false',
      { env: { GATEFOLD_GRAPHQL__INTROSPECTION: 'yes' } },
      ['graphql.introspection: expected true or false, got "yes"', '  from the environment variable GATEFOLD_GRAPHQL__INTROSPECTION'],
    ],
    ['a value instead of a section', { yaml: 'server: 4000\n' }, ['server: expected a section with keys', '  from gatefold.yaml:1:9']],
    [
      'a secret that is too short, which is not shown',
      { env: { GATEFOLD_IDENTITY_SECRET: SECRET } },
      [
        'identity.secret: expected a string of at least 32 characters, got a secret of 14 characters',
        '  from the environment variable GATEFOLD_IDENTITY_SECRET',
      ],
    ],
    [
      'an address of another scheme, whose password is not shown',
      { yaml: `subgraphs:\n  override:\n    users:\n      url: ftp://me:${SECRET}@internal/x\n` },
      [
        'subgraphs.override.users.url: expected a URL that starts with http:// or https://, got "ftp://…@internal/x"',
        '  from gatefold.yaml:4:12',
      ],
    ],
    [
      'a typo in a variable',
      { env: { GATEFOLD_SERVER__PROT: '1' } },
      ['GATEFOLD_SERVER__PROT: this environment variable does not belong to any setting', '  Did you mean GATEFOLD_SERVER__PORT?'],
    ],
    [
      'a typo in a long variable',
      { env: { GATEFOLD_SERVER__MAX_BODY_BITES: '1' } },
      [
        'GATEFOLD_SERVER__MAX_BODY_BITES: this environment variable does not belong to any setting',
        '  Did you mean GATEFOLD_SERVER__MAX_BODY_BYTES?',
      ],
    ],
    [
      'one setting by two variables',
      { env: { PORT: '1', GATEFOLD_SERVER__PORT: '2' } },
      [
        'server.port: is already set by the environment variable PORT',
        '  from the environment variable GATEFOLD_SERVER__PORT',
        '  Remove one of the two variables.',
      ],
    ],
    [
      'a command line option out of range',
      { options: [{ name: '--port', path: ['server', 'port'], value: -1 }] },
      ['server.port: expected a whole number from 0 to 65535 (port; 0 selects a free port), got -1', '  from --port'],
    ],
    [
      'an unknown subgraph',
      { env: { SUBGRAPH_ODRERS_URL: 'http://127.0.0.1:1' }, subgraphNames: () => ['users', 'orders'] },
      [
        'subgraphs.override.odrers: the supergraph has no subgraph of this name',
        '  from the environment variable SUBGRAPH_ODRERS_URL',
        '  Did you mean orders?',
      ],
    ],
    [
      'an anchor',
      { yaml: 'server: &a\n  port: 1\nlogging: *a\n' },
      ['logging: YAML aliases are not supported', '  from gatefold.yaml:3:10', '  Write the value instead of the alias.'],
    ],
    ['a list at the top', { yaml: '- port\n' }, ['expected sections at the top level of the file', '  from gatefold.yaml:1:1']],
    [
      'a file that is not YAML',
      { yaml: 'server: {\n' },
      ['invalid YAML: Flow map in block collection must be sufficiently indented and end with a }', '  from gatefold.yaml:2:1'],
    ],
    ['a duplicate key', { yaml: 'server:\n  port: 1\n  port: 2\n' }, ['invalid YAML: Map keys must be unique', '  from gatefold.yaml:3:3']],
    [
      'a missing file',
      { file: join(directory, 'gone.yaml') },
      ['the file gone.yaml does not exist', '  Set the path of the configuration file with --config.'],
    ],
    [
      'a development key in production',
      { profileDefault: 'production', env: { GATEFOLD_AUTH__DEVELOPMENT_KEY: 'x'.repeat(40) } },
      [
        'auth.developmentKey: the production profile does not accept development tokens',
        '  from the environment variable GATEFOLD_AUTH__DEVELOPMENT_KEY',
        '  Remove the key, or use the dev profile.',
      ],
    ],
    [
      'plain HTTP to other machines in production',
      { profileDefault: 'production', env: { HOST: '0.0.0.0' } },
      [
        'server.host: the production profile does not allow plain HTTP on 0.0.0.0, which other machines can reach',
        '  from the environment variable HOST',
        '  Set server.tls, list the proxies that terminate TLS in server.trustedProxies, or listen on 127.0.0.1.',
      ],
    ],
  ];

  it.each(table)('are reported in a plain sentence for %s', async (_title, given, expected) => {
    const text = await mistakesOf(given);
    expect(text).toContain('The configuration has a mistake.');
    expect(text.split('\n').slice(1)).toEqual(expected.map((line) => `  ${line}`));
    expect(text).not.toContain(SECRET);
  });

  it('are reported together for file, environment and options', async () => {
    const text = await mistakesOf({
      yaml: 'server:\n  prot: 1\n  maxBodyBytes: 0\n',
      env: { PORT: 'x', GATEFOLD_NONSENSE: '1' },
      options: [{ name: '--internal-port', path: ['server', 'internalPort'], value: 99_999 }],
    });
    expect(text).toContain('The configuration has 5 mistakes.');
    for (const path of ['server.prot', 'server.maxBodyBytes', 'server.port', 'server.internalPort', 'GATEFOLD_NONSENSE']) {
      expect(text).toContain(`${path}: `);
    }
  });

  it('name the file of a secret that cannot be read, and the variable', async () => {
    const text = await mistakesOf({ env: { REDIS_URL_FILE: '/missing/redis_url' } });
    expect(text).toContain('redis.url: the file /missing/redis_url cannot be used: a part of the path does not exist');
    expect(text).toContain('  from the environment variable REDIS_URL_FILE');
  });

  it('include a secret that is set as a value and as a file', async () => {
    writeFileSync(join(directory, 'redis_url'), 'redis://127.0.0.1:6379\n');
    expect(await mistakesOf({ env: { REDIS_URL: 'redis://other:1', REDIS_URL_FILE: join(directory, 'redis_url') } })).toContain(
      'redis.url: is already set by the environment variable REDIS_URL',
    );
  });

  it('include the file of a setting that is not a secret', async () => {
    expect(await mistakesOf({ env: { GATEFOLD_SERVER__MAX_BODY_BYTES_FILE: '/tmp/size' } })).toContain(
      'GATEFOLD_SERVER__MAX_BODY_BYTES_FILE: this environment variable does not belong to any setting',
    );
  });

  it('include keys such as `__proto__`, which are unknown like any other', async () => {
    expect(await mistakesOf({ yaml: '__proto__:\n  profile: production\nconstructor: 1\n' })).toMatch(
      /2 mistakes[^]*__proto__: unknown setting/,
    );
  });
});

describe('a valid configuration', () => {
  it('has the documented defaults when it is empty', async () => {
    expect(await read({})).toMatchObject({
      profile: 'dev',
      server: { host: '127.0.0.1', port: 4_000, internalPort: 4_001 },
      graphql: { introspection: true, graphiql: true },
    });
  });

  it('disables introspection and GraphiQL in production unless they are enabled', async () => {
    expect((await read({ profileDefault: 'production' })).graphql).toMatchObject({ introspection: false, graphiql: false });
    expect((await read({ profileDefault: 'production', env: { GATEFOLD_GRAPHQL__INTROSPECTION: 'true' } })).graphql.introspection).toBe(
      true,
    );
  });

  it('prefers options to variables, and variables to the file', async () => {
    const config = await read({
      yaml: 'server:\n  port: 1\n  maxUrlBytes: 100\n  headersTimeoutMs: 7\n',
      env: { PORT: '2', GATEFOLD_SERVER__MAXURLBYTES: '200' },
      options: [{ name: '--port', path: ['server', 'port'], value: 3 }],
    });
    expect(config.server).toMatchObject({ port: 3, internalPort: 4, maxUrlBytes: 200, headersTimeoutMs: 7 });
  });

  it('ignores a variable that is empty', async () => {
    expect(await read({ env: { PORT: '', GATEFOLD_PROFILE: '' } })).toMatchObject({ profile: 'dev', server: { port: 4_000 } });
  });

  it('ignores variables of other programs', async () => {
    expect(
      (await read({ env: { GATEFOLD_DATA_DIR: '/tmp', DATABASE_URL: 'x', GATEFOLD_REFERENCE_DATABASE_URL_FILE: 'y', PATH: '/bin' } }))
        .profile,
    ).toBe('dev');
  });

  it('accepts several addresses of a Redis Cluster unchanged', async () => {
    const url = 'rediss://:secret@one:6379,rediss://two:6380';
    expect((await read({ env: { REDIS_URL: url } })).redis.url).toBe(url);
  });

  it('cannot contain an invalid Redis address, which is not printed in the error', async () => {
    const problem = expect(read({ env: { REDIS_URL: 'localhost:6379' } }));
    await problem.rejects.toThrow(/redis\.url: expected a URL that starts with redis:\/\/.*got a secret of 14 characters/);
  });

  it('reads secrets from files, without the line break at the end', async () => {
    writeFileSync(join(directory, 'identity_secret'), `${SECRET.repeat(3)}\n`);
    writeFileSync(join(directory, 'redis_url'), 'redis://:secret@one:6379\r\n');
    const env = { GATEFOLD_IDENTITY_SECRET_FILE: join(directory, 'identity_secret'), REDIS_URL_FILE: join(directory, 'redis_url') };
    expect(await read({ env })).toMatchObject({ identity: { secret: SECRET.repeat(3) }, redis: { url: 'redis://:secret@one:6379' } });
  });

  it('does not read the file of a setting that is a file, such as `maintenance.file`', async () => {
    expect((await read({ env: { GATEFOLD_MAINTENANCE__FILE: '/run/maintenance' } })).maintenance.file).toBe('/run/maintenance');
  });

  it('ignores empty sections in the file', async () => {
    expect((await read({ yaml: 'server:\ngraphql:\n  introspection:\n' })).graphql.introspection).toBe(true);
  });

  it('uses a free internal port when the public port is free', async () => {
    expect((await read({ env: { PORT: '0' } })).server.internalPort).toBe(0);
  });

  it('maps the address variable of a subgraph to its name in the supergraph', async () => {
    const { subgraphs } = await read({
      env: { SUBGRAPH_ORDER_HISTORY_URL: 'https://orders.example/graphql' },
      subgraphNames: () => ['users', 'orderHistory'],
    });
    expect(subgraphs.override).toEqual({ orderHistory: { url: 'https://orders.example/graphql' } });
  });

  it('resolves a path against its file, or against the working directory in a variable', async () => {
    expect((await read({ yaml: 'supergraph:\n  file: graph/super.graphql\n' })).supergraph.file).toBe(
      join(directory, 'graph/super.graphql'),
    );
    expect((await read({ env: { GATEFOLD_SUPERGRAPH__FILE: 'super.graphql' } })).supergraph.file).toBe('super.graphql');
  });

  it('allows production to listen on all addresses behind a declared proxy', async () => {
    const config = await read({
      profileDefault: 'production',
      env: { HOST: '0.0.0.0', GATEFOLD_SERVER__TRUSTED_PROXIES: '["10.0.0.0/8"]' },
    });
    expect(config.server).toMatchObject({ host: '0.0.0.0', trustedProxies: ['10.0.0.0/8'], requireTls: true });
  });

  it('is read from gatefold.yaml in the working directory by default', async () => {
    writeFileSync(file, 'server:\n  port: 4321\n');
    expect((await read({ directory })).server.port).toBe(4_321);
  });
});
