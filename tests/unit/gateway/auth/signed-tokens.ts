import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { CompactSign, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { createAuthentication } from '../../../../gateway/auth/authenticator.ts';
import { auth } from '../../../../gateway/config/sections/auth.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';

export const NOW = Date.UTC(2030, 0, 1);
export const SECOND = 1_000;
export const ISSUER = 'https://id.example';
export const AUDIENCE = 'https://graph.example';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

interface SigningKey extends KeyPair {
  readonly alg: string;
  readonly jwk: JWK & { readonly kid: string };
}

async function signingKey(alg: string, kid: string): Promise<SigningKey> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { ...pair, alg, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg, use: 'sig' } };
}

interface TokenOptions {
  readonly claims?: Record<string, unknown>;
  readonly header?: Record<string, unknown>;
}

export function sign({ privateKey, alg, jwk }: SigningKey, { claims = {}, header = {} }: TokenOptions = {}): Promise<string> {
  const all = {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: '7',
    iat: NOW / SECOND,
    exp: NOW / SECOND + 3_600,
    roles: ['ADMIN'],
    tenant: 'one',
    ...claims,
  };
  return new SignJWT(all).setProtectedHeader({ alg, kid: jwk.kid, ...header }).sign(privateKey, { crit: { x: true } });
}

/** Signs a payload exactly as it is written. The signature is valid. */
export async function signText(
  { privateKey, alg, jwk }: SigningKey,
  payload: string,
  header: Record<string, unknown> = {},
): Promise<string> {
  return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg, kid: jwk.kid, ...header }).sign(privateKey, { crit: { x: true } });
}

export const contentWith = (text: string): string =>
  `{"iss":"${ISSUER}","aud":"${AUDIENCE}","sub":"7","tenant":"one","iat":${NOW / SECOND},"exp":${NOW / SECOND + 60}${text}}`;

/** Flips one bit of the signature of a token. */
export function flipped(token: string, bit: number): string {
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const at = bit % (bytes.length * 8);
  bytes.writeUInt8(bytes.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
  return [header, payload, bytes.toString('base64url')].join('.');
}

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export const INVALID_TOKEN = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  message: 'The bearer token is invalid.',
  headers: { 'www-authenticate': 'Bearer realm="gatefold", error="invalid_token"' },
});
export const UNREADABLE = expect.objectContaining({ code: 'UNAUTHENTICATED', headers: { 'www-authenticate': 'Bearer realm="gatefold"' } });
export const UNAVAILABLE = expect.objectContaining({ code: 'AUTH_UNAVAILABLE', status: 503 });

export const [rsa, ec, strange] = await Promise.all([signingKey('RS256', 'one'), signingKey('ES256', 'two'), signingKey('RS256', 'one')]);

/** Directory for the key files of the current test file. */
export let directory: string;

/** Creates the directory of key files, and removes it after the tests of the calling file. */
export function useKeyDirectory(): void {
  directory = mkdtempSync(join(tmpdir(), 'gatefold-auth-'));
  afterAll(() => rm(directory, { recursive: true }));
}

/** Creates an authentication on a manual clock, with the issuer `main`. */
export function start(issuer: Record<string, unknown>, others: Record<string, Record<string, unknown>> = {}) {
  const time = { now: NOW, monotonic: 0 };
  const config = auth.parse({ providers: { jwt: { main: { issuer: ISSUER, audiences: [AUDIENCE], ...issuer }, ...others } } });
  const clock = { now: () => time.now, monotonic: () => time.monotonic };
  const { authenticate, [Symbol.asyncDispose]: close } = createAuthentication(config, { clock, logger: silentLogger });
  const by = (token: string) => authenticate({ authorization: `Bearer ${token}` });
  const pass = (ms: number): void => {
    time.now += ms;
    time.monotonic += ms;
  };
  return { by, authenticate, pass, [Symbol.asyncDispose]: close };
}

export async function keyFile(keys: readonly JWK[]): Promise<string> {
  const file = join(directory, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ keys }));
  return file;
}
