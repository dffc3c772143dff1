import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const DEFAULT_SERVER_MESSAGE =
  'TEST_DATABASE_URL is not set: tests create databases named gatefold_test_<random>, and drop them, on the PostgreSQL server at 127.0.0.1:5432.';

export interface ThrowawayDatabase extends AsyncDisposable {
  readonly url: string;
}

let isAnnounced = false;

/**
 * Returns the URL of the PostgreSQL server for tests: `TEST_DATABASE_URL`, or else the default address on this machine, which a message
 * announces. `DATABASE_URL` is not read, because it may belong to another program.
 */
export function postgresServerUrl(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = environment['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return given;
  const { PGUSER: user = 'postgres', PGPASSWORD: password } = environment;
  const credentials = password === undefined ? encodeURIComponent(user) : `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  if (!isAnnounced) process.stderr.write(`\n${DEFAULT_SERVER_MESSAGE}\n`);
  isAnnounced = true;
  return `postgres://${credentials}@127.0.0.1:5432/postgres`;
}

/** Creates a separate database on the server. Disposal drops it with its contents. @throws Error when the server cannot be reached */
export async function createThrowawayDatabase(serverUrl: string = postgresServerUrl()): Promise<ThrowawayDatabase> {
  const name = `gatefold_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
