import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { freePort } from '../support/http/free-port.ts';
import { checkBlock } from '../support/pages/check-block.ts';
import { documentationPages } from '../support/pages/documentation-pages.ts';
import { type CodeBlock, type MarkdownPage, readMarkdownPage } from '../support/pages/markdown-page.ts';
import { containsOutput } from '../support/pages/match-output.ts';
import { createPageFolder } from '../support/pages/page-folder.ts';
import { isTutorial } from '../support/pages/tutorial.ts';
import { runWebSocketBlock } from '../support/pages/websocket-block.ts';
import { type CliProcess, cleanEnvironment, requireBuild, startCli } from '../support/process/built-cli.ts';
import { runShell } from '../support/process/run-shell.ts';

const SLOW = 120_000;
/** Time that the blocks of a page may take. It is shorter than that of their test, so that their processes end with the test. @unit milliseconds */
const BLOCKS_TIMEOUT_MS = 110_000;
/** Settings that the examples of the pages require. */
const SETTINGS = {
  GATEFOLD_CACHE__INVALIDATION_KEY: 'key-of-the-documentation-for-invalidations',
  GATEFOLD_MAINTENANCE__KEY: 'key-of-the-documentation-for-maintenance',
  GATEFOLD_LIMITS__EXPOSE_COST: 'true',
};
const BLOCK_END = '-- end of block --';
const run = promisify(execFile);
const pages = documentationPages();

const isShell = ({ language, role }: CodeBlock) => language === 'sh' && role === '';
const isOutput = ({ role }: CodeBlock) => role === 'output';

/** Returns the positions of the scripts that are not valid. One shell reads each as the body of a function, without executing it. */
async function invalidShell(scripts: readonly string[]): Promise<readonly number[]> {
  const check = 'index=0; for text in "$@"; do eval "body() {\n:\n$text\n}" 2>/dev/null || echo "$index"; index=$((index + 1)); done';
  const { stdout } = await run('bash', ['-c', check, 'bash', ...scripts]);
  return stdout.split('\n').filter(Boolean).map(Number);
}

/** Pairs each shell block with the output that the page shows after it. */
function sessionOf({ blocks }: MarkdownPage): readonly { readonly shell: CodeBlock; readonly outputs: readonly CodeBlock[] }[] {
  return blocks.flatMap((shell, index) => {
    if (!isShell(shell)) return [];
    const next = blocks.slice(index + 1);
    const end = next.findIndex((block) => !isOutput(block));
    return [{ shell, outputs: end === -1 ? next : next.slice(0, end) }];
  });
}

describe('the code blocks of the documentation', () => {
  it('have a kind, and contents that are valid', () => {
    const problems = pages.flatMap(({ path, blocks }) =>
      blocks.flatMap((block) => checkBlock(block).map((problem) => `${path}:${block.line}: ${problem}`)),
    );
    expect(problems).toEqual([]);
  });

  it('show output only after the request or the command that has it', () => {
    const stray = pages.flatMap(({ path, blocks }) =>
      blocks.flatMap((block, index) => {
        const before = blocks[index - 1];
        const follows = before !== undefined && before.role !== 'config' && before.language !== 'text';
        return isOutput(block) && !follows ? [`${path}:${block.line}`] : [];
      }),
    );
    expect(stray).toEqual([]);
  });

  it('are valid shell', async () => {
    const blocks = pages.flatMap(({ path, blocks: all }) => all.flatMap((block) => (block.language === 'sh' ? [{ path, block }] : [])));
    expect(await invalidShell(['if true; then', 'true', "echo 'a"])).toEqual([0, 2]);
    const invalid = await invalidShell(blocks.map(({ block }) => block.text));
    expect(invalid.map((index) => `${blocks[index]?.path}:${blocks[index]?.block.line}`)).toEqual([]);
  });

  it(
    'compile when they are TypeScript',
    async () => {
      await requireBuild();
      const directory = await mkdtemp(join(packageRoot, 'node_modules/.cache-blocks-'));
      try {
        const files = pages.flatMap(({ path, blocks }) =>
          blocks.flatMap((block) =>
            block.language === 'ts' ? [{ name: `${path.replaceAll(/[^a-z0-9]+/gi, '-')}-${block.line}.ts`, text: block.text }] : [],
          ),
        );
        expect(files.length).toBeGreaterThan(5);
        await Promise.all(files.map(async ({ name, text }) => writeFile(join(directory, name), `${text}\nexport {};\n`)));
        // GraphQL Yoga changes the type of errors of graphql-js in the whole program, so its examples are compiled separately.
        const usesYoga = ({ text }: { readonly text: string }) => text.includes("'graphql-yoga'");
        for (const group of [files.filter(usesYoga), files.filter((file) => !usesYoga(file))]) {
          await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(compilerOptions(group.map(({ name }) => name))));
          const compiled = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', directory]).then(
            () => '',
            (error: { readonly stdout: string }) => error.stdout,
          );
          expect(compiled).toBe('');
        }
      } finally {
        await rm(directory, { recursive: true });
      }
    },
    SLOW,
  );

  it('compare output by its text, with … for what varies', () => {
    expect(containsOutput('{"data": {"id": 7}}\n', '{"data":{"id":7}}')).toBe(true);
    expect(containsOutput('HTTP/1.1 200 OK\nage: 3\netag: "x"', 'HTTP/1.1 200 OK\n…\netag: …')).toBe(true);
    expect(containsOutput('{"data":{"id":8}}', '{"data":{"id":7}}')).toBe(false);
  });
});

function compilerOptions(files: readonly string[]): object {
  return {
    extends: join(packageRoot, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
      // Users compile with the declarations of the package too. Compiling its sources takes much longer.
      paths: {
        gatefold: [join(packageRoot, 'dist/gateway/index.d.ts')],
        'gatefold/apollo': [join(packageRoot, 'dist/gateway/apollo-server/index.d.ts')],
        'gatefold/rest': [join(packageRoot, 'dist/rest-facade/index.d.ts')],
        'gatefold/subgraph': [join(packageRoot, 'dist/gateway/subgraph-identity/index.d.ts')],
        'gatefold/errors': [join(packageRoot, 'dist/gateway/platform/errors.d.ts')],
      },
    },
    files,
    include: [],
  };
}

describe('the examples of the documentation', () => {
  let gatefold: CliProcess;
  let port: number;

  beforeAll(async () => {
    await requireBuild();
    port = await freePort(2);
    // The key of the tokens is the one of the checkout, with which `npx gatefold token` signs.
    gatefold = startCli(['dev'], { cwd: packageRoot, env: { PORT: String(port), GATEFOLD_DATA_DIR: 'memory', ...SETTINGS } });
    await gatefold.waitFor(/Ctrl-C stops everything/);
  }, SLOW);
  afterAll(async () => gatefold[Symbol.asyncDispose]());

  /** Runs blocks in one shell, one after another. Returns the output of each. */
  async function execute(blocks: readonly CodeBlock[]): Promise<readonly string[]> {
    await using folder = await createPageFolder();
    const env = { ...cleanEnvironment(), PATH: folder.commandPath, ...SETTINGS, ...credentials() };
    const script = ['set -euo pipefail', ...blocks.map(({ text }) => `${text}\necho '${BLOCK_END}'`)].join('\n');
    const stdout = await runShell(
      script.replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`).replaceAll('127.0.0.1:4001', `127.0.0.1:${port + 1}`),
      { cwd: folder.path, env, timeoutMs: BLOCKS_TIMEOUT_MS },
    );
    return stdout.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:4000').split(BLOCK_END);
  }

  /** Credentials that the command prints. It prints an API key and a login only when it creates them. */
  function credentials(): Readonly<Record<string, string>> {
    const output = gatefold.output();
    const valueOf = (name: string) => new RegExp(`${name}=(\\S+)`).exec(output)?.[1] ?? '';
    return Object.fromEntries(['USER_TOKEN', 'ADMIN_TOKEN', 'API_KEY', 'LOGIN'].map((name) => [name, valueOf(name)]));
  }

  // `readme.test.ts` executes the README, and `npm run prove first-hour` executes tutorials.
  const isExecutedHere = (page: MarkdownPage) => page.path !== 'README.md' && !isTutorial(page) && sessionOf(page).length > 0;
  it.each(pages.filter(isExecutedHere).map((page) => [page.path, page] as const))(
    'of %s run against npm start, with the output that the page shows',
    async (_path, page) => {
      const session = sessionOf(page);
      const outputs = await execute(session.map(({ shell }) => shell));
      const different = session.flatMap(({ outputs: expected }, index) =>
        expected.flatMap((block) => {
          const output = outputs[index] ?? '';
          return containsOutput(output, block.text) ? [] : [`line ${block.line}: expected\n${block.text}\nin\n${output}`];
        }),
      );
      expect(different).toEqual([]);
    },
    SLOW,
  );

  it(
    'of WebSocket messages are received as shown',
    async () => {
      const blocks = pages.flatMap((page) => page.blocks.filter(({ language, role }) => `${language} ${role}` === 'text websocket'));
      const token = credentials()['USER_TOKEN'] ?? '';
      const server = { url: `ws://127.0.0.1:${port}/graphql`, token, triggerEvent: async () => createPost(token) };
      expect(blocks).toHaveLength(1);
      for (const { text } of blocks) expect(await runWebSocketBlock(text, server)).toEqual([]);
    },
    SLOW,
  );

  async function createPost(token: string): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${port}/posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: 'Documentation', body: 'An event for the example.' }),
    });
    expect(response.status).toBe(201);
  }

  it('of a webhook message have the signature that the function of the page verifies', async () => {
    const { blocks, text } = readMarkdownPage('docs/guides/webhooks.md');
    const { isGenuine } = (await import(dataUrl(blocks.find(({ language }) => language === 'js')?.text ?? ''))) as WebhookExample;
    const [head = '', body = ''] = (blocks.find(({ language, role }) => language === 'http' && role === 'webhook')?.text ?? '')
      .trimEnd()
      .split('\n\n');
    const headers = Object.fromEntries(
      head
        .split('\n')
        .slice(1)
        .map((line) => line.split(': ')),
    );
    const secret = /`(?<secret>whsec_[^`]+)`/.exec(text)?.groups?.['secret'] ?? '';
    const now = Number(headers['webhook-timestamp']);
    expect(isGenuine(headers, body, secret, now)).toBe(true);
    expect(isGenuine(headers, `${body} `, secret, now)).toBe(false);
    expect(isGenuine(headers, body, secret, now + 301)).toBe(false);
  });
});

interface WebhookExample {
  isGenuine(headers: Readonly<Record<string, string>>, body: string, secret: string, now: number): boolean;
}

const dataUrl = (program: string) => `data:text/javascript,${encodeURIComponent(program)}`;
