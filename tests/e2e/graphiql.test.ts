import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { type LibraryGateway, startLibraryGateway } from '../fixtures/library-graph.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const missing = [
  existsSync(executablePath) ? [] : [`a Chromium at ${executablePath} (CHROMIUM_PATH names another place)`],
  existsSync(join(packageRoot, 'dist', 'studio', 'index.html')) ? [] : ['a build of GraphiQL (npm run build)'],
].flat();
const isRequired = process.env['CI'] === 'true';
if (missing.length > 0 && !isRequired) console.warn(`NOT TESTED: GraphiQL in a browser. Missing: ${missing.join(', and ')}.`);

describe('the requirements of the browser test', () => {
  it('are installed when the test runs in CI', () => {
    expect(isRequired ? missing : []).toEqual([]);
  });
});

(missing.length > 0 ? describe.skip : describe)('GraphiQL in a browser', () => {
  let library: LibraryGateway;
  let browser: Browser;

  beforeAll(async () => {
    library = await startLibraryGateway();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await library?.[Symbol.asyncDispose]();
  });

  it.each([['/'], ['/studio'], ['/graphql']])('runs the query of the page at %s without a request to another origin', async (path) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const requested: string[] = [];
    const complaints: string[] = [];
    context.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));

    const languageWorker = page.waitForEvent('worker', (worker) => worker.url().includes('graphql.worker'));
    await page.goto(library.url + path);
    await page.locator('.graphiql-query-editor').getByText('query HeldBook').waitFor();
    await languageWorker;
    await page.getByRole('button', { name: /execute query/i }).click();
    library.subgraph.release();
    await page.locator('.result-window').getByText('Momo').waitFor();

    const foreign = requested.filter((url) => !url.startsWith(library.url) && !url.startsWith('data:') && !url.startsWith('blob:'));
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('sends the bearer token of the header editor', async () => {
    const page = await browser.newPage();
    await page.goto(`${library.url}/studio`);
    await page.locator('.graphiql-query-editor').getByText('query HeldBook').waitFor();
    const editor = page.locator('.graphiql-editor-tool .graphiql-editor:not(.hidden)').last();
    await editor.click();
    await page.keyboard.insertText('{"authorization":"Bearer nonsense"}');
    const rejected = page.waitForResponse((response) => response.url().endsWith('/graphql') && response.status() === 401);
    await page.getByRole('button', { name: /execute query/i }).click();
    expect((await rejected).request().headers()['authorization']).toBe('Bearer nonsense');
    await page.locator('.result-window').getByText('UNAUTHENTICATED').waitFor();
    await page.close();
  });
});
