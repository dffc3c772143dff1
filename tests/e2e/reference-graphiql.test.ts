import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, type Page, chromium } from 'playwright-core';
import { signDevelopmentToken } from '../../gateway/auth/sign-development-token.ts';
import { fetchDescribed } from '../support/http/fetch-described.ts';
import { eventually } from '../support/time/eventually.ts';
import { describeOnStack } from '../support/stack/shared-stack.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isMissing = !existsSync(executablePath);
if (isMissing && process.env['CI'] === 'true')
  throw new Error(`Chromium is missing at ${executablePath}. With CI=true these tests must run.`);
if (isMissing) process.stderr.write(`\nNOT TESTED: GraphiQL of the reference graph, because Chromium is missing at ${executablePath}.\n`);

describeOnStack('GraphiQL of the reference graph', (stack) => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    if (!isMissing) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
  });

  async function open(): Promise<void> {
    page = await browser.newPage();
    await page.goto(`${stack.url}/`);
    await page.locator('.graphiql-query-editor').getByText('query Books').waitFor();
  }

  const run = async (): Promise<void> => page.getByRole('button', { name: /execute query/i }).click();
  /** Waits until the shown result contains a text and does not contain another one. */
  const result = async (text: string, absent = 'errors'): Promise<void> =>
    eventually(
      async () => {
        const shown = (await page.locator('.result-window').innerText()).replaceAll('\u00A0', ' ');
        return shown.includes(text) && !shown.includes(absent);
      },
      { everyMs: 50, withinMs: 20_000, what: `the result contains ${text} and not ${absent}` },
    );

  /** Replaces the query. */
  async function write(query: string): Promise<void> {
    await page.locator('.graphiql-query-editor .monaco-editor').first().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(query);
    await page.locator('.graphiql-query-editor').getByText(query.slice(-12)).waitFor();
  }

  (isMissing ? describe.skip : describe)('in a browser', () => {
    afterAll(async () => {
      await page?.close();
    });

    it('shows the error of a field that needs credentials, until a token is selected', async () => {
      await open();
      await write('{ orders(first: 1) { nodes { id } } }');
      await run();
      await result('UNAUTHENTICATED', '"nodes": [');
      await page.getByLabel('Token').selectOption({ label: 'User 2, role ADMIN' });
      await run();
      await result('nodes');
      await page.getByLabel('Token').selectOption({ label: 'none (anonymous)' });
      await run();
      await result('UNAUTHENTICATED', '"nodes": [');
    });

    it('opens with a query of the graph that runs without errors', async () => {
      await open();
      await run();
      await result('The Early Meridian');
    });

    it('shows both payloads of an operation with @defer', async () => {
      await open();
      await write('{ book(id: "1") { title ... @defer { price } } }');
      await run();
      await result('50.95', 'incremental');
      await result('The Early Meridian', 'incremental');
      await page.getByRole('button', { name: '1', exact: true }).click();
      await result('The Early Meridian', '50.95');
      await page.getByRole('button', { name: '2', exact: true }).click();
      await result('50.95', 'The Early Meridian');
    });

    it('shows each event of a subscription until the stop button ends it', async () => {
      await open();
      await page.getByLabel('Token').selectOption({ label: 'User 1' });
      await write('subscription { orderStatusChanged { kind order { id qty } } }');
      const response = page.waitForResponse((received) => received.headers()['content-type']?.startsWith('text/event-stream') === true);
      await run();
      await response;
      const ended = page.waitForEvent('requestfailed');
      const token = await signDevelopmentToken(stack.developmentKey, { subject: '1', roles: [], scopes: [], ttlSeconds: 60 });
      const order = async (qty: number) =>
        fetchDescribed(`${stack.url}/orders`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ productId: 7, qty }),
        });
      await order(17);
      await result('17');
      await order(18);
      await result('18');
      await page.getByRole('button', { name: '1', exact: true }).click();
      await result('17');
      await page.getByRole('button', { name: /stop query/i }).click();
      await page.getByRole('button', { name: /execute query/i }).waitFor();
      expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    });
  });
});
