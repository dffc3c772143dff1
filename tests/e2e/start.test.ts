import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CliProcess, childrenOf, isRunning, requireBuild, startCli } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';
import { fetchDescribed } from '../support/http/fetch-described.ts';
import { freePort, listenOn } from '../support/http/free-port.ts';

const READY = /Ctrl-C stops everything\./;
const SLOW = 120_000;

let directory: string;
beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-start-'));
}, SLOW);
afterAll(async () => rm(directory, { recursive: true, force: true }));

/** Starts `gatefold dev` with its data in memory by default. */
function dev(port: number, env: Readonly<Record<string, string>> = {}): CliProcess {
  return startCli(['dev'], { cwd: directory, env: { PORT: String(port), GATEFOLD_DATA_DIR: 'memory', ...env } });
}

async function childOf(gatefold: CliProcess): Promise<number> {
  let children: readonly number[] = [];
  await eventually(async () => {
    children = await childrenOf(gatefold.pid);
    return children.length > 0;
  });
  return children[0] ?? 0;
}

describe('gatefold dev with a startup failure', () => {
  it('names the port in use and how to choose another, and starts nothing', async () => {
    const taken = await listenOn(0);
    await using gatefold = dev(taken.port);
    expect((await gatefold.exit).code).toBe(1);
    expect(gatefold.output()).toContain(`Port ${taken.port} on 127.0.0.1 is already in use.`);
    expect(gatefold.output()).toContain('PORT=5000 npm start');
    expect(gatefold.output()).not.toMatch(/\bat .*\.js:\d+/);
    await taken.close();
  });

  it(
    'names the internal port in use and stops the subgraphs',
    async () => {
      const [port, taken] = [await freePort(2), await listenOn(0)];
      await using gatefold = dev(port, { INTERNAL_PORT: String(taken.port) });
      expect((await gatefold.exit).code).toBe(1);
      expect(gatefold.output()).toContain(`127.0.0.1:${taken.port}`);
      expect(gatefold.output()).toContain('INTERNAL_PORT');
      expect(await childrenOf(gatefold.pid)).toEqual([]);
      await taken.close();
    },
    SLOW,
  );

  it('lists all mistakes in the environment and exits with 2', async () => {
    await using gatefold = startCli(['dev'], { cwd: directory, env: { PORT: 'http', GATEFOLD_PROFILE: 'test' } });
    expect((await gatefold.exit).code).toBe(2);
    expect(gatefold.output()).toContain('The configuration has 2 mistakes.');
    expect(gatefold.output()).toContain('from the environment variable PORT');
  });

  it('shows the output of subgraphs that fail to start', async () => {
    await using gatefold = dev(await freePort(2), { SUBGRAPH_USERS_PORT: 'nonsense' });
    expect((await gatefold.exit).code).toBe(1);
    expect(gatefold.output()).toContain('The process of the subgraphs ended unexpectedly (exit code 1).');
    expect(gatefold.output()).toContain('SUBGRAPH_USERS_PORT must be a port');
  });
});

describe('gatefold serve with a startup failure', () => {
  it('names the setting for a missing supergraph', async () => {
    await using gatefold = startCli(['serve'], { cwd: directory });
    expect((await gatefold.exit).code).toBe(2);
    expect(gatefold.output()).toContain('no supergraph is configured');
  });

  it('requires a trusted proxy for a public address in production', async () => {
    await using gatefold = startCli(['serve', '--supergraph', 'x.graphql'], { cwd: directory, env: { HOST: '0.0.0.0' } });
    expect((await gatefold.exit).code).toBe(2);
    expect(gatefold.output()).toContain('server.trustedProxies');
  });
});

describe('gatefold dev', () => {
  let port: number;
  let gatefold: CliProcess;
  beforeAll(async () => {
    port = await freePort(2);
    // Nothing listens there: the start would fail if the variable were read.
    gatefold = startCli(['dev'], { cwd: directory, env: { PORT: String(port), DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/app' } });
    await gatefold.waitFor(READY);
  }, SLOW);
  afterAll(async () => gatefold[Symbol.asyncDispose]());

  it('prints requests that read five subgraphs and a page of books, and create an order', async () => {
    const [query, books, order] = pastedRequests(gatefold.output());
    const response: unknown = await (await query?.())?.json();
    const shipped = { status: 'SHIPPED', product: { title: expect.any(String) }, shipment: { carrier: expect.any(String) } };
    expect(response).toEqual({
      data: { user: { name: expect.any(String), posts: expect.any(Array), orders: { nodes: expect.arrayContaining([shipped]) } } },
    });
    expect(await (await books?.())?.json()).toMatchObject({ pageSize: 3, totalElements: 500 });
    const created = await order?.();
    expect([created?.status, created?.headers.get('location')]).toEqual([201, expect.stringMatching(/^\/orders\/\d+$/)]);
  });

  it('names the database in use, and reports that DATABASE_URL is not used', () => {
    expect(gatefold.output()).toContain('  Database  embedded PostgreSQL in .gatefold/data (DATABASE_URL is not used;');
  });

  it('prints the URLs of the docs page and of the OpenAPI description', async () => {
    const [, page = '', text = ''] = /OpenAPI {3}(\S+) {2}\(JSON: (\S+)\)/.exec(gatefold.output()) ?? [];
    expect(await (await fetch(page)).text()).toContain('<title>REST API</title>');
    expect(await (await fetch(text)).json()).toMatchObject({ openapi: '3.1.1' });
  });

  it('prints an administrator token that can list all orders', async () => {
    const [, token] = /ADMIN_TOKEN=(\S+)/.exec(gatefold.output()) ?? [];
    const response = await fetchDescribed(`http://127.0.0.1:${port}/orders`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
  });

  it('prints an API key and a login of user 1 that no file contains', async () => {
    const [, apiKey = 'none'] = /API_KEY=(\S+)/.exec(gatefold.output()) ?? [];
    const [, login = 'none'] = /LOGIN=(\S+)/.exec(gatefold.output()) ?? [];
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
    const orders = (user: number, headers: Record<string, string>) =>
      fetchDescribed(`http://127.0.0.1:${port}/users/${user}/orders`, { headers });
    for (const headers of [{ 'x-api-key': apiKey }, { authorization: basic(login) }]) {
      expect((await orders(1, headers)).status).toBe(200);
      expect((await orders(2, headers)).status).toBe(403);
    }
    const rejected = await orders(1, { authorization: basic(`${login}x`) });
    expect([rejected.status, rejected.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="gatefold", charset="UTF-8"']);
    const anonymous = await orders(1, {});
    expect(anonymous.status).toBe(401);
    for (const scheme of ['Bearer', 'Basic', 'ApiKey'])
      expect(anonymous.headers.get('www-authenticate')).toContain(`${scheme} realm="gatefold"`);
    for (const file of ['api-keys.json', 'users.json', 'development.key']) {
      const text = await readFile(join(directory, '.gatefold', file), 'utf8');
      expect(text).not.toContain(apiKey.split('.')[1]);
      expect(text).not.toContain(login.split(':')[1]);
    }
  });

  it('accepts a token of `gatefold token`', async () => {
    await using signed = startCli(['token', '--sub', '3'], { cwd: directory });
    await signed.exit;
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${signed.output().trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ me { id } }' }),
    });
    expect(await response.json()).toEqual({ data: { me: { id: '3' } } });
  });

  it(
    'rejects a second process on the same data directory',
    async () => {
      const start = async (): Promise<string> => {
        await using second = startCli(['dev'], { cwd: directory, env: { PORT: String(await freePort(2)) } });
        expect((await second.exit).code).toBe(1);
        return second.output();
      };
      let output = await start();
      // Another test file can take a free port before the process listens on it.
      for (let attempt = 0; attempt < 3 && /^Port \d+ .*already in use/m.test(output); attempt += 1) output = await start();
      expect(output).toMatch(/The subgraphs cannot start: .*(?:in use|another process|locked)/);
    },
    SLOW,
  );

  it('exits with 0 on Ctrl-C and leaves no process and no open port', async () => {
    const child = await childOf(gatefold);
    gatefold.signal('SIGINT');
    expect(await gatefold.exit).toEqual({ code: 0, signal: null });
    expect(await isRunning(child)).toBe(false);
    await (await listenOn(port)).close();
  });
});

describe('gatefold dev with an abrupt stop', () => {
  it(
    'exits with 0 and leaves no process on Ctrl-C while the subgraphs start',
    async () => {
      await using gatefold = dev(await freePort(2));
      const child = await childOf(gatefold);
      gatefold.signal('SIGINT');
      expect((await gatefold.exit).code).toBe(0);
      expect(await isRunning(child)).toBe(false);
    },
    SLOW,
  );

  it(
    'exits immediately on a second Ctrl-C during a request that never ends',
    async () => {
      const port = await freePort(2);
      await using gatefold = dev(port);
      await gatefold.waitFor(READY);
      const child = await childOf(gatefold);
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write(
        'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n',
      );
      await new Promise((resolve) => socket.once('data', resolve));
      let isOver = false;
      const exit = gatefold.exit.finally(() => (isOver = true));
      await eventually(async () => {
        if (!isOver) gatefold.signal('SIGINT');
        return isOver;
      });
      expect(await exit).toEqual({ code: 130, signal: null });
      await eventually(async () => !(await isRunning(child)));
      socket.destroy();
    },
    SLOW,
  );

  it(
    'reports killed subgraphs and exits',
    async () => {
      await using gatefold = dev(await freePort(2));
      await gatefold.waitFor(READY);
      process.kill(await childOf(gatefold), 'SIGKILL');
      expect((await gatefold.exit).code).toBe(1);
      expect(gatefold.output()).toContain('The process of the subgraphs ended unexpectedly (SIGKILL).');
    },
    SLOW,
  );

  it(
    'its subgraphs end when it is killed',
    async () => {
      const gatefold = dev(await freePort(2));
      await gatefold.waitFor(READY);
      const child = await childOf(gatefold);
      gatefold.signal('SIGKILL');
      await gatefold.exit;
      await eventually(async () => !(await isRunning(child)));
    },
    SLOW,
  );
});

/** Returns the requests of the printed curl commands, in their order. */
function pastedRequests(output: string): readonly (() => Promise<Response>)[] {
  const [, token] = /USER_TOKEN=(\S+)/.exec(output) ?? [];
  return output.split('\n').flatMap((line) => {
    const [, url] = /^ {2}curl .*?(http:[^\s']+)/.exec(line) ?? [];
    if (url === undefined) return [];
    const [, body] = /-d '([^']+)'/.exec(line) ?? [];
    const headers = new Headers([...line.matchAll(/-H ["']([^:]+): ([^"']+)["']/g)].map(([, name, value]) => [name ?? '', value ?? '']));
    if (headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return [async () => fetchDescribed(url, body === undefined ? { headers } : { method: 'POST', headers, body })];
  });
}
