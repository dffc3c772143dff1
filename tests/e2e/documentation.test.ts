import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { freePort } from '../support/http/free-port.ts';
import { checkBlock } from '../support/pages/check-block.ts';
import { documentationPages } from '../support/pages/documentation-pages.ts';
import type { CodeBlock, MarkdownPage } from '../support/pages/markdown-page.ts';
import { containsOutput } from '../support/pages/match-output.ts';
import { type CliProcess, cleanEnvironment, requireBuild, startCli } from '../support/process/built-cli.ts';

const SLOW = 120_000;
const BLOCK_END = '-- end of block --';
const run = promisify(execFile);
const pages = documentationPages();

const isShell = ({ language, role }: CodeBlock) => language === 'sh' && role === '';
const isOutput = ({ role }: CodeBlock) => role === 'output';
/** Blocks that this test does not execute: they install and start the project, which is what the test itself does. */
const isInstallation = ({ text }: CodeBlock) => /^npm ci && npm (?:start|test)$/m.test(text);

/** Pairs each shell block with the output that the page shows after it. */
function sessionOf({ blocks }: MarkdownPage): readonly { readonly shell: CodeBlock; readonly outputs: readonly CodeBlock[] }[] {
  return blocks.flatMap((shell, index) => {
    if (!isShell(shell) || isInstallation(shell)) return [];
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
    const checked = await Promise.all(
      blocks.map(async ({ path, block }) => {
        const result = await run('bash', ['-n', '-c', block.text]).then(
          () => '',
          (error: Error) => error.message,
        );
        return result === '' ? [] : [`${path}:${block.line}: ${result}`];
      }),
    );
    expect(checked.flat()).toEqual([]);
  });

  it(
    'compile when they are TypeScript',
    async () => {
      const directory = await mkdtemp(join(packageRoot, 'node_modules/.cache-blocks-'));
      try {
        const files = pages.flatMap(({ path, blocks }) =>
          blocks.flatMap((block) =>
            block.language === 'ts' ? [{ name: `${path.replaceAll(/[^a-z0-9]+/gi, '-')}-${block.line}.ts`, text: block.text }] : [],
          ),
        );
        expect(files.length).toBeGreaterThan(5);
        await Promise.all(files.map(async ({ name, text }) => writeFile(join(directory, name), `${text}\nexport {};\n`)));
        await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(compilerOptions(files.map(({ name }) => name))));
        const compiled = await run(join(packageRoot, 'node_modules/.bin/tsc'), ['-p', directory]).then(
          () => '',
          (error: { readonly stdout: string }) => error.stdout,
        );
        expect(compiled).toBe('');
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
      paths: {
        gatefold: [join(packageRoot, 'gateway/index.ts')],
        'gatefold/apollo': [join(packageRoot, 'gateway/apollo-server/index.ts')],
        'gatefold/rest': [join(packageRoot, 'rest-facade/index.ts')],
        'gatefold/errors': [join(packageRoot, 'gateway/platform/errors.ts')],
      },
    },
    files: [...files, join(packageRoot, 'gateway/operation/limits/graphql-depth-limit.d.ts')],
    include: [],
  };
}

describe('the shell blocks of the documentation', () => {
  let gatefold: CliProcess;
  let port: number;

  beforeAll(async () => {
    await requireBuild();
    port = await freePort(2);
    // The key of the tokens is the one of the checkout, with which `npx gatefold token` signs.
    gatefold = startCli(['dev'], { cwd: packageRoot, env: { PORT: String(port), GATEFOLD_DATA_DIR: 'memory' } });
    await gatefold.waitFor(/Ctrl-C stops everything/);
  }, SLOW);
  afterAll(async () => gatefold[Symbol.asyncDispose]());

  /** Runs blocks in one shell, one after another. Returns the output of each. */
  async function execute(blocks: readonly CodeBlock[]): Promise<readonly string[]> {
    const env = { ...cleanEnvironment(), ...credentials() };
    const script = ['set -euo pipefail', ...blocks.map(({ text }) => `${text}\necho '${BLOCK_END}'`)].join('\n');
    const { stdout } = await run(
      'bash',
      ['-c', script.replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`).replaceAll('127.0.0.1:4001', `127.0.0.1:${port + 1}`)],
      { cwd: packageRoot, env },
    );
    return stdout.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:4000').split(BLOCK_END);
  }

  /** Credentials that the command prints. It prints an API key and a login only when it creates them. */
  function credentials(): Readonly<Record<string, string>> {
    const output = gatefold.output();
    const valueOf = (name: string) => new RegExp(`${name}=(\\S+)`).exec(output)?.[1] ?? '';
    return Object.fromEntries(['USER_TOKEN', 'ADMIN_TOKEN', 'API_KEY', 'LOGIN'].map((name) => [name, valueOf(name)]));
  }

  // `readme.test.ts` executes the README.
  it.each(pages.filter((page) => page.path !== 'README.md' && sessionOf(page).length > 0).map((page) => [page.path, page] as const))(
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
});
