import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { developmentKey } from '../../../../cli/development-key.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const KEY = 'a development key of more than thirty-two characters';

async function token(...args: readonly string[]) {
  return tokenWithKey(KEY, args);
}

async function tokenWithKey(configured: string, args: readonly string[]) {
  const terminal = recordingTerminal({ GATEFOLD_AUTH__DEVELOPMENT_KEY: configured });
  const exitCode = await runCommandLine(['token', ...args], terminal);
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

async function claimsOf(text: string, key = KEY) {
  const { payload } = await jwtVerify(text, new TextEncoder().encode(key), { issuer: 'gatefold-dev', audience: 'gatefold' });
  return payload;
}

describe('gatefold token', () => {
  it('names the missing option without a subject', async () => {
    const { exitCode, warned } = await token();
    expect(exitCode).toBe(2);
    expect(warned).toContain("required option '--sub <id>' not specified");
  });

  it.each(['5', '0s', '1y', '-1h', '400d', '1.5h', ''])('rejects the duration "%s" and describes the format', async (ttl) => {
    const { exitCode, warned, printed } = await token('--sub', '1', `--ttl=${ttl}`);
    expect(exitCode).toBe(2);
    expect(warned).toContain('Use a number and a unit');
    expect(printed).toBe('');
  });

  it('rejects an empty subject', async () => {
    expect(await token('--sub', ' ')).toMatchObject({ exitCode: 2, printed: '' });
  });

  it('prints a token with the roles, scopes and duration', async () => {
    const { exitCode, printed } = await token('--sub', '2', '--roles', 'ADMIN, AUDITOR', '--scopes', 'read,write', '--ttl', '30m');
    const claims = await claimsOf(printed);
    expect(exitCode).toBe(0);
    expect(claims).toMatchObject({ sub: '2', roles: ['ADMIN', 'AUDITOR'], scope: 'read write' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(1_800);
  });
});

describe('gatefold token without a configured key', () => {
  it('signs with the key of the directory when the variable is empty', async () => {
    const { exitCode, printed } = await tokenWithKey('', ['--sub', '3']);
    expect(exitCode).toBe(0);
    expect(await claimsOf(printed, await developmentKey())).toMatchObject({ sub: '3' });
  });
});

describe('the development key', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-key-'));
  });
  afterEach(async () => rm(directory, { recursive: true }));

  it('reports a truncated key file with the advice to remove it', async () => {
    await writeFile(join(directory, 'development.key'), 'short');
    await expect(developmentKey(directory)).rejects.toThrow('does not contain a key of at least 32 characters');
  });

  it('is created once for concurrent callers, readable only by its owner', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => developmentKey(directory)));
    const file = join(directory, 'development.key');
    expect(new Set(keys).size).toBe(1);
    expect((await readFile(file, 'utf8')).trim()).toBe(keys[0]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
