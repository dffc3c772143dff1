import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { startStorefront, type Storefront } from '../../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl } from '../../../fixtures/storefront/storefront.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

let storefront: Storefront;
let directory: string;
beforeAll(async () => {
  storefront = await startStorefront();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-serve-'));
});
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

let files = 0;
async function write(sdl: string): Promise<string> {
  files += 1;
  const file = join(directory, `supergraph-${files}.graphql`);
  await writeFile(file, sdl);
  return file;
}

interface Served {
  readonly exitCode: number;
  readonly warned: string;
  readonly printed: readonly string[];
  readonly responses: readonly unknown[];
}

/** Serves a supergraph on a free port without a configuration file, sends the queries, and stops. */
async function serve(
  sdl: string,
  queries: readonly string[],
  env: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<Served> {
  const controller = new AbortController();
  const terminal = recordingTerminal({ GATEFOLD_LOGGING__LEVEL: 'silent', GATEFOLD_SERVER__SHUTDOWN__LAME_DUCK_MS: '0', ...env });
  const responses: unknown[] = [];
  const requesting = {
    ...terminal,
    stopSignal: () => controller.signal,
    print(text: string) {
      terminal.print(text);
      const url = /http:\/\/\S+\/graphql/.exec(text)?.[0] ?? '';
      void (async () => {
        for (const query of queries) {
          const headers = { 'content-type': 'application/json', connection: 'close' };
          responses.push(await (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) })).json());
        }
      })().finally(() => controller.abort());
    },
  };
  const exitCode = await runCommandLine(['serve', '--supergraph', await write(sdl), '--port', '0', ...options], requesting);
  return { exitCode, warned: terminal.warned.join('\n'), printed: terminal.printed.flatMap((text) => text.split('\n')), responses };
}

const ACCOUNTS_QUERY = '{ me { name } product(upc: "p1") { seller { name } } }';
const ACCOUNTS_RESPONSE = { data: { me: { name: 'Ada' }, product: { seller: { name: 'Bytes & Söhne' } } } };

/** A supergraph of the first federation version: `@core`, join v0.1, owners. */
function firstFederation(accounts: string, products: string): string {
  return `
    schema @core(feature: "https://specs.apollo.dev/core/v0.2") @core(feature: "https://specs.apollo.dev/join/v0.1", for: EXECUTION) { query: Query }
    directive @core(feature: String!, as: String, for: core__Purpose) repeatable on SCHEMA
    directive @join__field(graph: join__Graph, requires: join__FieldSet, provides: join__FieldSet) on FIELD_DEFINITION
    directive @join__type(graph: join__Graph!, key: join__FieldSet) repeatable on OBJECT | INTERFACE
    directive @join__owner(graph: join__Graph!) on OBJECT | INTERFACE
    directive @join__graph(name: String!, url: String!) on ENUM_VALUE
    enum core__Purpose { EXECUTION SECURITY }
    scalar join__FieldSet
    enum join__Graph {
      ACCOUNTS @join__graph(url: "${accounts}", name: "accounts")
      PRODUCTS @join__graph(name: "products" url: "${products}")
    }
    type Query { me: Account @join__field(graph: ACCOUNTS) product(upc: ID!): Product @join__field(graph: PRODUCTS) }
    type Account @join__owner(graph: ACCOUNTS) @join__type(graph: ACCOUNTS, key: "id") @join__type(graph: PRODUCTS, key: "id") {
      id: ID! @join__field(graph: ACCOUNTS)
      name: String! @join__field(graph: ACCOUNTS)
    }
    type Product @join__owner(graph: PRODUCTS) @join__type(graph: PRODUCTS, key: "upc") {
      upc: ID! @join__field(graph: PRODUCTS)
      seller: Account @join__field(graph: PRODUCTS)
    }`;
}

/** Renames a subgraph of a supergraph. */
function renamed(sdl: string, from: string, to: string): string {
  return sdl.replace(`@join__graph(name: "${from}"`, `@join__graph(name: "${to}"`);
}

describe('gatefold serve', () => {
  it('reports a missing file and exits with 1', async () => {
    const terminal = recordingTerminal({ GATEFOLD_LOGGING__LEVEL: 'silent' });
    expect(await runCommandLine(['serve', '--supergraph', '/nowhere/supergraph.graphql', '--port', '0'], terminal)).toBe(1);
    expect(terminal.warned.join('\n')).toMatch(
      /^The supergraph file \/nowhere\/supergraph\.graphql cannot be read: the file does not exist/,
    );
  });

  it('finishes its requests after an unhandled error, logs it, and exits with 1', async () => {
    const terminal = recordingTerminal({ GATEFOLD_LOGGING__LEVEL: 'silent', GATEFOLD_SERVER__SHUTDOWN__LAME_DUCK_MS: '0' });
    let fail: (error: unknown) => void = () => undefined;
    const failing = {
      ...terminal,
      onUnhandledError(listener: (error: unknown) => void) {
        fail = listener;
      },
      print(text: string) {
        terminal.print(text);
        setImmediate(() => fail(new Error('This error has no handler.')));
      },
    };
    const supergraph = await write(storefrontSdl(storefront.urls));
    expect(await runCommandLine(['serve', '--supergraph', supergraph, '--port', '0'], failing)).toBe(1);
    expect(terminal.warned.join('\n')).toBe('The gateway has stopped because of an unhandled error, which the log contains.');
  });

  it('names every key that sets a missing subgraph URL and exits with 1', async () => {
    const { exitCode, warned } = await serve(storefrontSdl({ accounts: '', products: '', reviews: 'http://127.0.0.1:1/' }), []);
    expect(exitCode).toBe(1);
    expect(warned).toMatch(
      /^These subgraphs have no valid address.*\n {2}accounts: set .*SUBGRAPH_ACCOUNTS_URL\.\n {2}products: set .*SUBGRAPH_PRODUCTS_URL\.$/,
    );
  });

  it('suggests the nearest subgraph name for an unknown URL variable and exits with 2', async () => {
    const { exitCode, warned } = await serve(storefrontSdl(storefront.urls), [], { SUBGRAPH_ACCOUNT_URL: 'http://127.0.0.1:1/' });
    expect(exitCode).toBe(2);
    expect(warned).toContain('Did you mean accounts?');
  });

  it.each([['production'], ['dev']])('serves a supergraph without a configuration in the %s profile', async (profile) => {
    const env = { GATEFOLD_AUTH__DEVELOPMENT_KEY: 'a key that only this test of the command knows' };
    const served = await serve(storefrontSdl(storefront.urls), [ACCOUNTS_QUERY], profile === 'dev' ? env : {}, ['--profile', profile]);
    expect(served).toMatchObject({ exitCode: 0, responses: [ACCOUNTS_RESPONSE] });
  });

  it('prints only lines of JSON in the production profile, with the URLs and the notice about callers', async () => {
    const { printed } = await serve(storefrontSdl(storefront.urls), [ACCOUNTS_QUERY]);
    const [ready, notice, ...others] = printed.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(ready).toMatchObject({
      level: 30,
      time: expect.any(Number),
      profile: 'production',
      url: expect.stringMatching(/^http:/),
      internalUrl: expect.stringMatching(/^http:/),
      msg: expect.stringMatching(/^Gatefold serves http:\S+\/graphql in the production profile\./),
    });
    expect(notice).toMatchObject({ level: 30, msg: expect.stringMatching(/^Subgraphs receive no information about the caller: /) });
    expect(String(notice?.['msg'])).not.toMatch(/\n| {2}/);
    expect(others).toEqual([]);
  });

  it('prints lines for readers when the log is written for readers', async () => {
    const { printed } = await serve(storefrontSdl(storefront.urls), [ACCOUNTS_QUERY], { GATEFOLD_LOGGING__FORMAT: 'pretty' });
    expect(printed[0]).toMatch(/^Gatefold serves http:\S+\/graphql in the production profile\./);
    expect(printed[1]).toMatch(/^Subgraphs receive no information about the caller/);
    expect(printed.length).toBeGreaterThan(3);
  });

  it('serves a supergraph of the first federation version', async () => {
    const { accounts = '', products = '' } = storefront.urls;
    expect(await serve(firstFederation(accounts, products), [ACCOUNTS_QUERY])).toMatchObject({
      exitCode: 0,
      responses: [ACCOUNTS_RESPONSE],
    });
  });

  it('reads the subgraph URLs of a first-version supergraph from the environment', async () => {
    const { accounts = '', products = '' } = storefront.urls;
    const env = { SUBGRAPH_ACCOUNTS_URL: accounts, SUBGRAPH_PRODUCTS_URL: products };
    expect(await serve(firstFederation('', ''), [ACCOUNTS_QUERY], env)).toMatchObject({ exitCode: 0, responses: [ACCOUNTS_RESPONSE] });
  });

  it.each([
    ['accounts-service', 'SUBGRAPH_ACCOUNTS_SERVICE_URL'],
    ['accounts.service', 'SUBGRAPH_ACCOUNTS_SERVICE_URL'],
    ['accountsService', 'SUBGRAPH_ACCOUNTS_SERVICE_URL'],
    ['Accounts_2', 'SUBGRAPH_ACCOUNTS_2_URL'],
  ])('reads the URL of the subgraph %s from %s', async (name, variable) => {
    const { accounts = '', ...others } = storefront.urls;
    const sdl = renamed(storefrontSdl({ ...others, accounts: 'http://127.0.0.1:1/' }), 'accounts', name);
    expect(await serve(sdl, ['{ me { name } }'], { [variable]: accounts })).toMatchObject({
      responses: [{ data: { me: { name: 'Ada' } } }],
    });
  });

  it('finds the subgraphs when the link directive is renamed', async () => {
    const { accounts = '', ...others } = storefront.urls;
    const sdl = storefrontSdl({ ...others, accounts: 'http://127.0.0.1:1/' })
      .replace('@link(url: "https://specs.apollo.dev/link/v1.0")', '@using(url: "https://specs.apollo.dev/link/v1.0", as: "using")')
      .replaceAll('@link(', '@using(')
      .replaceAll('link__', 'using__');
    const served = await serve(sdl, ['{ me { name } }'], { SUBGRAPH_ACCOUNTS_URL: accounts });
    expect(served).toMatchObject({ responses: [{ data: { me: { name: 'Ada' } } }], warned: '' });
  });

  it('serves the supergraph of this project in production without other settings', async () => {
    const sdl = await readFile(join(packageRoot, 'schema/supergraph.graphql'), 'utf8');
    expect(await serve(sdl, ['{ __typename }'])).toMatchObject({ exitCode: 0, responses: [{ data: { __typename: 'Query' } }] });
  });
});

describe('a changed configuration file', () => {
  const query = '{ a: me { name } b: me { name } }';

  /** Serves with a file, reloads with each text, and returns the error codes of an operation after each. */
  async function reloadWith(texts: readonly string[], begin: string, by: 'signal' | 'watch'): Promise<readonly unknown[]> {
    files += 1;
    const file = join(directory, `gatefold-${files}.yaml`);
    const own = `supergraph: { file: ${await write(storefrontSdl(storefront.urls))} }\nserver: { port: 0, shutdown: { lameDuckMs: 0 } }\n`;
    await writeFile(file, own + begin);
    const controller = new AbortController();
    const terminal = recordingTerminal({ GATEFOLD_LOGGING__LEVEL: 'silent' });
    const codes: unknown[] = [];
    let hangUp: () => void = () => {};
    const requesting = {
      ...terminal,
      stopSignal: () => controller.signal,
      onHangUp: (listener: () => void) => void (hangUp = listener),
      print(text: string) {
        const url = /http:\/\/\S+\/graphql/.exec(text)?.[0] ?? '';
        const code = async (): Promise<unknown> => {
          const headers = { 'content-type': 'application/json', connection: 'close' };
          const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
          return (
            ((await response.json()) as { errors?: readonly { extensions: { code: string } }[] }).errors?.[0]?.extensions.code ?? 'served'
          );
        };
        void (async () => {
          codes.push(await code());
          for (const next of texts) {
            await writeFile(file, own + next);
            if (by === 'signal') hangUp();
            const endsAt = Date.now() + (next.includes('maxAliases: x') ? 300 : 10_000);
            let now = await code();
            while (now === codes.at(-1) && Date.now() < endsAt) {
              await new Promise((resolve) => setTimeout(resolve, 20));
              now = await code();
            }
            codes.push(now);
          }
        })().finally(() => controller.abort());
      },
    };
    expect(await runCommandLine(['serve', '--config', file], requesting)).toBe(0);
    return codes;
  }

  it.each(['signal', 'watch'] as const)('is applied after the %s, and an invalid one is not', async (by) => {
    const reload = by === 'watch' ? 'reload: { watch: true }\n' : '';
    const texts = ['limits: { maxAliases: 1 }\n', 'limits: { maxAliases: x }\n', 'limits: { maxAliases: 9 }\n'];
    const codes = await reloadWith(
      texts.map((text) => text + reload),
      reload,
      by,
    );
    expect(codes).toEqual(['served', 'ALIAS_LIMIT_EXCEEDED', 'ALIAS_LIMIT_EXCEEDED', 'served']);
  });
});
