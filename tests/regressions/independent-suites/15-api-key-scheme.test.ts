import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Authentication, createAuthentication } from '../../../gateway/auth/authenticator.ts';
import { auth } from '../../../gateway/config/sections/auth.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';

const SECRET = 'a'.repeat(64);
const KEY = `reporting.${SECRET}`;
const keyOf = (id: string) => ({ id, sha256: createHash('sha256').update(SECRET).digest('hex') });

describe('point 15: API keys with the scheme that the challenge names', () => {
  let directory: string;
  let opened: Authentication;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-keys-'));
    const file = join(directory, 'keys.json');
    await writeFile(file, JSON.stringify({ keys: [keyOf('reporting'), keyOf('billing')] }));
    const config = auth.parse({ developmentKey: 'a key that only the tests of API keys know', providers: { apiKey: { file } } });
    opened = createAuthentication(config, { clock: systemClock, logger: silentLogger });
  });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  it.each([
    ['a wrong key', { authorization: `ApiKey reporting.${'b'.repeat(64)}` }, 'UNAUTHENTICATED'],
    ['an empty key', { authorization: 'ApiKey' }, 'UNAUTHENTICATED'],
    ['two keys, joined', { authorization: `ApiKey ${KEY}, ApiKey ${KEY}` }, 'UNAUTHENTICATED'],
    ['the same wrong key in both headers', { authorization: 'ApiKey no', 'x-api-key': 'no' }, 'UNAUTHENTICATED'],
    ['different keys', { authorization: `ApiKey ${KEY}`, 'x-api-key': `billing.${SECRET}` }, 'BAD_REQUEST'],
    ['a key in addition to a token', { authorization: 'Bearer abc', 'x-api-key': KEY }, 'BAD_REQUEST'],
    ['a scheme with the same prefix', { authorization: `ApiKeys ${KEY}` }, 'UNAUTHENTICATED'],
  ])('rejects %s', async (_title, headers, code) => {
    await expect(opened.authenticate(headers)).rejects.toMatchObject({ code });
  });

  it.each([
    ['the scheme', { authorization: `ApiKey ${KEY}` }],
    ['the scheme in another case', { authorization: `apikey  ${KEY}` }],
    ['the header', { 'x-api-key': KEY }],
    ['both headers with equal keys', { authorization: `ApiKey ${KEY}`, 'x-api-key': KEY }],
  ])('accepts %s', async (_title, headers) => {
    await expect(opened.authenticate(headers)).resolves.toMatchObject({ id: 'reporting', kind: 'service' });
  });
});
