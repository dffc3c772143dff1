import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { developmentCredentials } from '../../../cli/development-credentials.ts';
import { createAuthentication } from '../../../gateway/auth/authenticator.ts';
import { auth } from '../../../gateway/config/sections/auth.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';

const KEY = 'a development key of these tests alone';
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-credentials-'));
});

afterEach(() => rm(directory, { recursive: true }));

describe('developmentCredentials', () => {
  it('does not change files of the user, and returns no credentials for them', async () => {
    const file = join(directory, 'users.json');
    await writeFile(file, '{"users":[]}');
    expect(await developmentCredentials(KEY, directory)).toMatchObject({ login: undefined, apiKey: expect.stringMatching(/^dev\./) });
    expect(await readFile(file, 'utf8')).toBe('{"users":[]}');
  });

  it('names the file when the directory cannot be created', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    await expect(developmentCredentials(KEY, file)).rejects.toThrow(
      /file .*json cannot be read or created \(ENOTDIR\): a part of the path is a file, not a directory\. .+\.$/,
    );
  });

  it('returns no credentials for files of another development key', async () => {
    await developmentCredentials(KEY, directory);
    expect(await developmentCredentials(`${KEY}!`, directory)).toMatchObject({ login: undefined, apiKey: undefined });
  });

  it('creates the same accepted credentials for concurrent callers and stores no plaintext', async () => {
    const [first, second] = await Promise.all([developmentCredentials(KEY, directory), developmentCredentials(KEY, directory)]);
    expect(second).toEqual(first);
    const { apiKey = '', login = '', apiKeyFile, usersFile } = first;
    const config = auth.parse({ providers: { apiKey: { file: apiKeyFile }, basic: { file: usersFile } } });
    await using authentication = createAuthentication(config, { clock: systemClock, logger: silentLogger });
    const user = { kind: 'user', id: '1', roles: new Set() };
    expect(await authentication.authenticate({ 'x-api-key': apiKey })).toMatchObject(user);
    expect(await authentication.authenticate({ authorization: `Basic ${Buffer.from(login).toString('base64')}` })).toMatchObject(user);
    for (const file of [apiKeyFile, usersFile]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const text = await readFile(file, 'utf8');
      expect([text.includes(apiKey.split('.')[1] ?? ''), text.includes(login.split(':')[1] ?? '')]).toEqual([false, false]);
    }
  });
});
