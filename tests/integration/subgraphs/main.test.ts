import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { SUBGRAPH_NAMES } from '../../../subgraphs/start-subgraphs.ts';
import { signIdentity } from '../../support/identity/sign-identity.ts';
import { createThrowawayDatabase } from '../../support/database/throwaway-database.ts';
import { describeOnServer } from '../../support/stack/subgraphs-stack.ts';
import { processOf } from '../../support/process/process-of.ts';

const SECRET = 'm'.repeat(64);
const SECRETS = { GATEFOLD_IDENTITY_SECRET: SECRET, GATEFOLD_WEBHOOKS_KEY: SECRET };

/** Timeout of a test that starts several processes one after another while other tests run. @unit milliseconds */
const PATIENCE_MS = 120_000;

interface Started {
  readonly child: ChildProcess;
  /** Resolves with both output streams and the exit code. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Resolves with the first line of standard output, or when the process ends. */
  readonly firstLine: Promise<string>;
}

interface Ready {
  readonly ready: Readonly<Record<string, string>>;
  readonly database: string;
}

function start(environment: Readonly<Record<string, string>>, withIpc = false): Started {
  const { file, execArgv } = processOf('subgraphs/main.ts');
  const child = spawn(process.execPath, [...execArgv, file], {
    cwd: packageRoot,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: withIpc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  const firstLine = new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
    child.once('close', () => resolve(''));
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  // Node emits no `close` for a child whose channel the parent has disconnected.
  const ended = once(child, withIpc ? 'exit' : 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, firstLine };
}

describe('the process that hosts the subgraphs', () => {
  let parent: string;
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'subgraphs-'));
  });
  afterAll(async () => rm(parent, { recursive: true }));

  it('exits with an instruction when no secret is set', async () => {
    const { code, stdout, stderr } = await start({}).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The subgraphs cannot start: GATEFOLD_IDENTITY_SECRET is not set\. .*openssl rand -hex 32.*\n$/);
  });

  it(
    'rejects a second process in one directory, and exits cleanly',
    async () => {
      const environment = { ...SECRETS, GATEFOLD_DATA_DIR: join(parent, 'data') };
      const first = start(environment);
      const { ready } = JSON.parse(await first.firstLine) as Ready;
      expect(Object.keys(ready).toSorted()).toEqual([...SUBGRAPH_NAMES].toSorted());
      const second = await start(environment).ended;
      expect([second.code, second.stdout]).toEqual([1, '']);
      expect(second.stderr).toContain(`is in use by process ${first.child.pid}.`);
      const body = '{"query":"{ user(id: \\"1\\") { id } }"}';
      const identity = signIdentity({ secret: SECRET, audience: 'users', body, kind: 'anonymous' });
      const response = await fetch(ready['users'] ?? '', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'gatefold-identity': identity },
      });
      expect(await response.json()).toEqual({ data: { user: { id: '1' } } });
      first.child.kill('SIGTERM');
      expect((await first.ended).code).toBe(0);
      expect(await readdir(parent)).toEqual(['data']);
      // The file is never removed: a process that has it open would hold a lock that other processes do not see.
      expect(await readdir(join(parent, 'data'))).toContain('gatefold.lock');
    },
    PATIENCE_MS,
  );

  it(
    'reports ready by IPC, names a port in use, and exits with its parent',
    async () => {
      const environment = { ...SECRETS, GATEFOLD_DATA_DIR: 'memory' };
      const child = start(environment, true);
      const [message] = (await once(child.child, 'message')) as [{ ready: Record<string, string> }];
      const { port } = new URL(message.ready['users'] ?? '');
      const other = await start({ ...environment, SUBGRAPH_ORDERS_PORT: port }).ended;
      const said = other.stderr.split('\n').filter((line) => !line.startsWith('{'));
      expect([other.code, said]).toEqual([
        1,
        [`The subgraphs cannot start: The subgraph orders cannot listen on 127.0.0.1:${port}: the port is already in use.`, ''],
      ]);
      child.child.disconnect();
      expect((await child.ended).code).toBe(0);
    },
    PATIENCE_MS,
  );
});

describeOnServer('the process that hosts the subgraphs, given the URL of a database server', () => {
  async function schemasOf(url: string): Promise<readonly string[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ nspname: string }>(
        String.raw`select nspname from pg_namespace where nspname not like 'pg\_%' and nspname not in ('information_schema', 'public')`,
      );
      return rows.map(({ nspname }) => nspname);
    } finally {
      await client.end();
    }
  }

  async function startAndStop(environment: Readonly<Record<string, string>>): Promise<string> {
    const { child, firstLine, ended } = start({ ...SECRETS, GATEFOLD_DATA_DIR: 'memory', ...environment });
    const line = await firstLine;
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr.includes('cannot start')]).toEqual([0, false]);
    return (JSON.parse(line) as Ready).database;
  }

  it(
    'creates no schema in the database of DATABASE_URL',
    async () => {
      await using throwaway = await createThrowawayDatabase();
      expect(await startAndStop({ DATABASE_URL: throwaway.url })).toBe('embedded PostgreSQL in memory');
      expect(await schemasOf(throwaway.url)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'uses the database of GATEFOLD_REFERENCE_DATABASE_URL and names it without user and password',
    async () => {
      await using throwaway = await createThrowawayDatabase();
      await using other = await createThrowawayDatabase();
      const { host, pathname } = new URL(throwaway.url);
      const environment = { DATABASE_URL: other.url, GATEFOLD_REFERENCE_DATABASE_URL: throwaway.url };
      expect(await startAndStop(environment)).toBe(`PostgreSQL at ${host}${pathname}`);
      expect(await schemasOf(throwaway.url)).toEqual(expect.arrayContaining(['users', 'orders']));
      expect(await schemasOf(other.url)).toEqual([]);
    },
    PATIENCE_MS,
  );
});
