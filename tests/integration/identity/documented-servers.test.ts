import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readIdentityKey } from '../../../gateway/config/identity-key.ts';
import { createGateway } from '../../../gateway/index.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../gateway/subgraph-client/sign-identity.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { freePort } from '../../support/http/free-port.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { readMarkdownPage } from '../../support/pages/markdown-page.ts';
import { cleanEnvironment } from '../../support/process/built-cli.ts';

const SLOW = 120_000;
const SDL = 'type Query { caller: String }';
const BODY = '{"query":"{ caller }"}';
const DEVELOPMENT_KEY = 'd'.repeat(43);
const ALICE: Principal = { ...ANONYMOUS, kind: 'user', id: '7', issuer: 'gatefold-dev' };

/** Programs of the pages, by the heading above each. */
const programs = (['forward-credentials', 'bound-identities'] as const).flatMap((name) => {
  const { blocks, text: page } = readMarkdownPage(`docs/guides/${name}.md`);
  const headingAbove = (line: number) =>
    page
      .split('\n')
      .slice(0, line)
      .findLast((text) => text.startsWith('#'))
      ?.replace(/^#+ /, '') ?? '';
  const form = name === 'bound-identities' ? 'bound' : 'jwt';
  return blocks.flatMap(({ language, line, text }) => (language === 'ts' ? [{ title: headingAbove(line), form, text } as const] : []));
});
const servers = programs.filter(({ text }) => text.includes('5010'));

/** A file with a private key, and the directory of the programs. */
let directory: string;
let privateKeyFile: string;

beforeAll(async () => {
  // The programs import packages of the repository.
  directory = await mkdtemp(join(packageRoot, 'node_modules/.cache-identity-'));
  privateKeyFile = join(directory, 'identity.pem');
  await writeFile(privateKeyFile, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
});
afterAll(async () => rm(directory, { recursive: true }));

/** Writes a program of the page with other addresses. Returns its path. */
async function write(program: string, port: number, internalUrl: string): Promise<string> {
  const file = join(directory, `program-${port}.mts`);
  const verifier = pathToFileURL(join(packageRoot, 'gateway/subgraph-identity/index.ts')).href;
  const text = program.replaceAll('5010', String(port)).replaceAll('http://127.0.0.1:4001', internalUrl);
  await writeFile(file, text.replaceAll("'gatefold/subgraph'", `'${verifier}'`));
  return file;
}

async function serve(form: 'jwt' | 'bound', port: number) {
  const composition = composeSubgraphs([
    { name: 'films', url: `http://127.0.0.1:${port}/graphql`, files: [{ path: 'films.graphql', text: SDL }] },
  ]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  const gateway = await createGateway(
    {
      profile: 'dev',
      supergraph: { sdl: composition.supergraphSdl },
      server: { port: 0, internalPort: 0 },
      auth: { developmentKey: DEVELOPMENT_KEY },
      identity: { form, privateKeyFile },
      subgraphs: { retry: { maxRetries: 0 }, circuitBreaker: { enabled: false } },
    },
    { logger: silentLogger },
  );
  return { gateway, ...(await gateway.listen()) };
}

/** Starts a program. Disposal ends its process. */
function start(file: string): { readonly child: ChildProcess; readonly errors: () => string } & AsyncDisposable {
  let errors = '';
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    cwd: packageRoot,
    env: { ...cleanEnvironment(), NODE_ENV: 'production' },
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    child,
    errors: () => errors,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const post = async (url: string, headers: Readonly<Record<string, string>> = {}, body = BODY) => {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  return { status: response.status, text: await response.text() };
};

describe('a server of the pages about identities', () => {
  it('is shown for each framework, with and without a proof', () => {
    expect(servers.map(({ title, form }) => `${form}: ${title}`)).toEqual([
      'jwt: Apollo Server',
      'jwt: GraphQL Yoga',
      'jwt: Mercurius',
      'jwt: Express',
      'bound: Express and Apollo Server',
      'bound: GraphQL Yoga',
      'bound: Mercurius',
    ]);
  });

  it.each(servers.map(({ title, form, text }) => [title, form, text] as const))(
    '%s, form %s, rejects other requests and knows the caller of the gateway',
    async (_title, form, program) => {
      const port = await freePort();
      const { gateway, url, internalUrl } = await serve(form, port);
      await using _gateway = gateway;
      await using server = start(await write(program, port, internalUrl));
      const subgraph = `http://127.0.0.1:${port}/graphql`;
      while ((await post(subgraph).catch(() => undefined)) === undefined) {
        if (server.child.exitCode !== null) throw new Error(server.errors());
        await sleep(50);
      }

      const key = readIdentityKey({ secret: undefined, privateKeyFile, additionalKeyFile: undefined });
      if (key === undefined) throw new Error('Expected a key.');
      const signer = createIdentitySigner({ key, form, clock: systemClock });
      const send = async (audience: string, signed = BODY) => post(subgraph, { 'gatefold-identity': signer.sign(audience, ALICE, signed) });
      expect((await post(subgraph)).status).toBe(401);
      expect((await send('reviews')).status).toBe(401);
      expect((await send('films', '{}')).status).toBe(form === 'bound' ? 401 : 200);
      const direct = await send('films');
      expect([direct.status, JSON.parse(direct.text)]).toEqual([200, { data: { caller: '7' } }]);

      const headers = { authorization: `Bearer ${signToken({ sub: '7' }, { key: DEVELOPMENT_KEY })}` };
      expect(JSON.parse((await post(`${url}/graphql`, headers)).text)).toEqual({ data: { caller: '7' } });
      expect(JSON.parse((await post(`${url}/graphql`)).text)).toEqual({ data: { caller: '' } });
    },
    SLOW,
  );

  it('accepts the socket of a caller whose token the gateway has signed', async () => {
    const port = await freePort();
    const { gateway, internalUrl } = await serve('jwt', port);
    await using _gateway = gateway;
    const text = programs.find(({ title }) => title === 'Subscriptions')?.text ?? '';
    const { onConnect } = (await import(pathToFileURL(await write(text, port, internalUrl)).href)) as {
      onConnect(socket: { connectionParams?: object; extra: { caller?: unknown } }): Promise<void>;
    };
    const key = readIdentityKey({ secret: undefined, privateKeyFile, additionalKeyFile: undefined });
    if (key === undefined) throw new Error('Expected a key.');
    const gatefoldIdentity = createIdentitySigner({ key, clock: systemClock }).sign('films', ALICE, '');
    const extra: { caller?: unknown } = {};
    await expect(onConnect({ extra })).rejects.toThrow('The request has no identity');
    await onConnect({ connectionParams: { gatefoldIdentity }, extra });
    expect(extra.caller).toMatchObject({ subject: '7' });
  });
});
