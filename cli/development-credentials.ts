import { createHash, createHmac, randomUUID, scrypt } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DEVELOPMENT_ISSUER } from '../gateway/auth/owner-rules.ts';
import { fileFailureSuffix, systemErrorCode } from '../gateway/platform/file-errors.ts';
import { CommandFailed } from './command-failed.ts';

/** An API key and a login for development, and the files with their hashes. */
export interface DevelopmentCredentials {
  readonly apiKeyFile: string;
  readonly usersFile: string;
  /** Value for `X-API-Key`. Undefined if the file contains other keys. */
  readonly apiKey: string | undefined;
  /** User name and password, separated by a colon. Undefined if the file contains other users. */
  readonly login: string | undefined;
}

/** User of both credentials, without roles. A development token for this user has the same principal. */
const SUBJECT = '1';
const KEY_ID = 'dev';
const USER_NAME = 'dev';
/** 20 characters with 64 possible values each are 120 bits. @unit characters */
const PASSWORD_LENGTH = 20;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };

/**
 * Creates `api-keys.json` and `users.json` if they do not exist. The secrets are derived from the development key and are not stored, so
 * each start can print the same ones, and a copy of the files is useless. Existing files are not changed.
 *
 * @throws CommandFailed if a file cannot be read or written
 */
export async function developmentCredentials(developmentKey: string, directory = '.gatefold'): Promise<DevelopmentCredentials> {
  const derive = (purpose: string): string =>
    createHmac('sha256', developmentKey).update(`gatefold development ${purpose}`).digest('base64url');
  const secret = derive('api key');
  const password = derive('password').slice(0, PASSWORD_LENGTH);
  const keyHash = createHash('sha256').update(secret).digest('hex');
  const passwordHash = await hashPassword(password, Buffer.from(derive('salt'), 'base64url').subarray(0, 16));
  const apiKeyFile = resolve(join(directory, 'api-keys.json'));
  const usersFile = resolve(join(directory, 'users.json'));
  const key = { id: KEY_ID, sha256: keyHash, subject: SUBJECT, kind: 'user' };
  const user = { name: USER_NAME, password: passwordHash, subject: SUBJECT };
  const issuer = DEVELOPMENT_ISSUER;
  const [keysText, usersText] = await Promise.all([
    readOrMake(apiKeyFile, { keys: [{ issuer, ...key }] }, { keys: [key] }),
    readOrMake(usersFile, { users: [{ issuer, ...user }] }, { users: [user] }),
  ]);
  return {
    apiKeyFile,
    usersFile,
    apiKey: keysText.includes(keyHash) ? `${KEY_ID}.${secret}` : undefined,
    login: usersText.includes(passwordHash) ? `${USER_NAME}:${password}` : undefined,
  };
}

/** Hashes a password in the format that the gateway reads. */
async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const key = await new Promise<Buffer>((done, fail) => {
    scrypt(password, salt, 32, COST, (error, derived) => (error === null ? done(derived) : fail(error)));
  });
  const text = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  return `$scrypt$ln=${Math.log2(COST.N)},r=${COST.r},p=${COST.p}$${text(salt)}$${text(key)}`;
}

/** Reads a file, or creates it. @param outdated content of earlier versions without an issuer, which is replaced */
async function readOrMake(file: string, content: object, outdated: object): Promise<string> {
  try {
    const text = await readText(file);
    return text === undefined || text === textOf(outdated) ? await make(file, textOf(content)) : text;
  } catch (cause) {
    throw new CommandFailed(`The file ${file} cannot be read or created${fileFailureSuffix(cause)}.`, { cause });
  }
}

function textOf(content: object): string {
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file atomically, because another process may start at the same time and write the same content. */
async function make(file: string, text: string): Promise<string> {
  await mkdir(resolve(file, '..'), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
  return text;
}
