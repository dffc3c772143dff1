import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Authentication, createAuthentication } from '../../../../gateway/auth/authenticator.ts';
import { auth } from '../../../../gateway/config/sections/auth.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECRET = 'c2VjcmV0LW9mLXRoZS1yZXBvcnRpbmctc2VydmljZS0';
const OTHER_SECRET = 'YW5vdGhlci1zZWNyZXQtb2YtYW5vdGhlci1vbmUtLS0';
const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex');

let directory: string;
let file: string;
let authentication: Authentication | undefined;
let now: number;

function start(): Authentication {
  const config = auth.parse({ providers: { apiKey: { file } } });
  authentication = createAuthentication(config, { clock: { now: () => now, monotonic: () => now }, logger: silentLogger });
  return authentication;
}

const write = (keys: readonly unknown[]) => writeFile(file, JSON.stringify({ keys }));

beforeEach(async () => {
  now = NOW;
  directory = await mkdtemp(join(tmpdir(), 'gatefold-keys-'));
  file = join(directory, 'api-keys.json');
  await write([
    { id: 'reporting', sha256: sha256(SECRET), roles: ['REPORTER'], scopes: ['orders:read'] },
    { id: 'alice', sha256: sha256(OTHER_SECRET), subject: '1', kind: 'user', expiresAt: '2030-01-01T00:01:00Z' },
  ]);
});

afterEach(async () => {
  await authentication?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const REJECTED = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  message: 'The API key is invalid.',
  headers: { 'www-authenticate': 'ApiKey realm="gatefold", header="X-API-Key"' },
});

describe('API keys', () => {
  it.each([
    ['an empty value', ''],
    ['an id alone', 'reporting'],
    ['an id without a secret', 'reporting.'],
    ['a secret alone', `.${SECRET}`],
    ['another secret', `reporting.${OTHER_SECRET}`],
    ['a secret without its first letter', `reporting.${SECRET.slice(1)}`],
    ['a secret with an extra letter', `reporting.${SECRET}A`],
    ['the hash instead of the secret', `reporting.${sha256(SECRET)}`],
    ['an unknown id', `nobody.${SECRET}`],
    ['an id in capitals', `REPORTING.${SECRET}`],
    ['an id that is an inherited property name', `__proto__.${SECRET}`],
    ['two headers that Node.js joins', `reporting.${SECRET}, reporting.${SECRET}`],
    ['a leading space', ` reporting.${SECRET}`],
    ['letters outside ASCII', `reporting.${'é'.repeat(43)}`],
    ['100 KB', `reporting.${'a'.repeat(100_000)}`],
  ])('rejects %s without giving the reason', async (_case, key) => {
    await expect(start().authenticate({ 'x-api-key': key })).rejects.toEqual(REJECTED);
  });

  it('rejects a request with an API key and another credential', async () => {
    const both = { 'x-api-key': `reporting.${SECRET}`, authorization: 'Bearer a.b.c' };
    await expect(start().authenticate(both)).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
  });

  it('authenticates the owner of a valid key', async () => {
    const { authenticate } = start();
    await expect(authenticate({ 'x-api-key': `reporting.${SECRET}` })).resolves.toMatchObject({
      kind: 'service',
      id: 'reporting',
      roles: new Set(['REPORTER']),
      scopes: new Set(['orders:read']),
    });
    await expect(authenticate({ 'x-api-key': `alice.${OTHER_SECRET}` })).resolves.toMatchObject({ kind: 'user', id: '1' });
    await expect(authenticate({})).resolves.toBe(ANONYMOUS);
  });

  it('rejects an expired key', async () => {
    const { authenticate } = start();
    now = NOW + 60_000;
    await expect(authenticate({ 'x-api-key': `alice.${OTHER_SECRET}` })).rejects.toEqual(REJECTED);
  });

  it('rejects a key soon after it is removed from the file, and accepts the others', async () => {
    const { authenticate } = start();
    await write([{ id: 'alice', sha256: sha256(OTHER_SECRET) }]);
    for (let isGood = true; isGood; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      isGood = await authenticate({ 'x-api-key': `reporting.${SECRET}` }).then(
        () => true,
        () => false,
      );
    }
    await expect(authenticate({ 'x-api-key': `alice.${OTHER_SECRET}` })).resolves.toMatchObject({ id: 'alice' });
  });

  it('ignores the header when no keys are configured', async () => {
    const { authenticate } = createAuthentication(auth.parse({}), {
      clock: { now: () => now, monotonic: () => now },
      logger: silentLogger,
    });
    await expect(authenticate({ 'x-api-key': `reporting.${SECRET}` })).resolves.toBe(ANONYMOUS);
  });

  it.each([
    ['{"keys": [', 'the file is not valid JSON'],
    ['{}', 'keys: '],
    ['{"keys":[{"id":"a b","sha256":"00"}]}', 'keys.0.id: expected at most 64 letters, digits'],
    [`{"keys":[{"id":"a","sha256":"${SECRET}"}]}`, 'keys.0.sha256: expected the SHA-256 hash of the secret as 64 hexadecimal digits'],
    [`{"keys":[{"id":"a","secret":"${SECRET}"}]}`, 'keys.0'],
    [JSON.stringify({ keys: [1, 2].map(() => ({ id: 'a', sha256: sha256('a') })) }), 'two keys have the id "a"'],
  ])('reports the error in the file %s at startup without a secret', async (text, message) => {
    await writeFile(file, text);
    expect(start).toThrow(`auth.providers.apiKey.file: ${file}: the content is invalid: ${message}`);
    expect(start).not.toThrow(SECRET);
  });
});
